package route

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"golang.org/x/net/http/httpproxy"
)

const rows = "../../../packages/client/fixtures/no-proxy.json"

// The rows are those of the rule of NO_PROXY that the rest of this project goes by: here it is seen that Go does what they say of Go.
func TestRowsOfGo(t *testing.T) {
	text, err := os.ReadFile(rows)
	if err != nil {
		t.Fatal(err)
	}
	var all []struct {
		Name, List, Target string
		Direct, Go         bool
	}
	if err := json.Unmarshal(text, &all); err != nil || len(all) < 40 {
		t.Fatal(err, len(all))
	}
	for _, row := range all {
		t.Run(row.Name, func(t *testing.T) {
			target, err := url.Parse(row.Target)
			if err != nil {
				t.Fatal(err)
			}
			config := httpproxy.Config{HTTPProxy: "http://proxy.test", HTTPSProxy: "http://proxy.test", NoProxy: row.List}
			proxy, err := config.ProxyFunc()(target)
			if err != nil {
				t.Fatal(err)
			}
			if isDirect := proxy == nil; isDirect != row.Go {
				t.Errorf("Go reaches it directly: %v, and the row says %v", isDirect, row.Go)
			}
			if row.Go && !row.Direct {
				t.Error("Go reaches it directly, and the rule does not")
			}
		})
	}
}

func TestTable(t *testing.T) {
	table, err := Parse(`{"http://a.test:3080": "http://user:secret@proxy.test:3128", "https://B.test": "", "http://[::1]:80": "https://p.test"}`)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HTTP_PROXY", "")
	for address, want := range map[string]string{
		"http://a.test:3080/x":    "http://user:secret@proxy.test:3128",
		"https://b.test:443/?q=1": "",
		"https://b.test":          "",
		"http://[::1]/x":          "https://p.test",
		"http://a.test/x":         "",
	} {
		request, _ := http.NewRequest(http.MethodGet, address, nil)
		proxy, err := table.Proxy(request)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if proxy != nil {
			got = proxy.String()
		}
		if got != want {
			t.Errorf("%s goes by %q, not %q", address, got, want)
		}
	}
}

func TestApply(t *testing.T) {
	asked := 0
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		io.WriteString(w, r.URL.String())
	}))
	defer proxy.Close()
	target := httptest.NewServer(http.NotFoundHandler())
	defer target.Close()
	get := func(table Table) int {
		transport := &http.Transport{Proxy: http.ProxyFromEnvironment}
		defer transport.CloseIdleConnections()
		if err := table.Apply(transport); err != nil {
			t.Fatal(err)
		}
		response, err := (&http.Client{Transport: transport}).Get(target.URL)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		return response.StatusCode
	}
	address, _ := url.Parse(proxy.URL)
	if status := get(Table{strings.Replace(target.URL, "HTTP", "http", 1): address}); status != 200 || asked != 1 {
		t.Errorf("a target on this machine was not asked by the proxy: %d, %d", status, asked)
	}
	if status := get(Table{}); status != 404 || asked != 1 {
		t.Errorf("a target without a proxy was asked by one: %d, %d", status, asked)
	}
}

func TestOtherTransport(t *testing.T) {
	other := roundTripper(func(*http.Request) (*http.Response, error) { return nil, nil })
	if err := (Table{}).Apply(other); err != nil {
		t.Error(err)
	}
	if err := (Table{"http://a.test:80": nil}).Apply(other); err == nil {
		t.Error("a transport that cannot be changed was taken")
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"[]", "{", `{"a":1}`, `{"no address":""}`, `{"http://a":"secret%"}`, `{"http://a":"secret"}`} {
		if _, err := Parse(text); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if table, err := Parse(""); err != nil || len(table) != 0 {
		t.Error(table, err)
	}
}
