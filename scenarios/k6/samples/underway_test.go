package samples

import (
	"os"
	"path/filepath"
	"testing"
)

func TestUnderWayRequestsCountAsIfTheyEndedNow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "under-way.ndjson")
	now := int64(1_000)
	u := NewUnderWay(path, func() int64 { return now }, func() int64 { return 7 })
	planned := New("stream")
	planned.Flow, planned.Phase, planned.Side, planned.Query, planned.Plan = "search", "measure", "base", "x", 500
	waiting, ended := u.Begin(&planned), u.Begin(&planned)
	waiting.SetTimes(2_000, 2_500, None)
	u.End(ended)
	now = 60_000_000
	u.write()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"assay":"under-way","version":1,"nowMs":60000,"atWork":7}` + "\n" +
		`{"kind":"stream","flow":"search","phase":"measure","side":"base","query":"x","planMs":0.5,"sendMs":1,"headersMs":2,"firstEventMs":2.5,"events":0,"matches":0,"bytes":0,"endMs":60000,"outcome":"canceled"}` + "\n"
	if string(text) != want {
		t.Errorf("told:\n%s\nnot:\n%s", text, want)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("beside it lie %v, %v", left, err)
	}
}

func TestAFolderThatIsGoneIsNoFault(t *testing.T) {
	u := NewUnderWay(filepath.Join(t.TempDir(), "gone", "x"), func() int64 { return 0 }, func() int64 { return 0 })
	u.write()
	NewUnderWay("", nil, nil).Start()
}
