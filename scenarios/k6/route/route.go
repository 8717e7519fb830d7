// Package route sends requests to the targets of a load through the proxies that the command chose, like all other
// requests of the run. k6 itself would use the environment, never use a proxy for this machine, and ignore SRC_PROXY.
package route

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// Table has the proxy of each target by its address, such as "https://search.example.com:443"; nil for none.
type Table map[string]*url.URL

var errNotRouted = errors.New("this k6 gives no access to its connections, so requests cannot use the proxy of the run")

// Parse reads a JSON object of origins and proxy addresses, which are empty for none. Empty text is an empty table.
// Errors do not quote addresses, which may contain a password.
func Parse(text string) (Table, error) {
	if text == "" {
		return Table{}, nil
	}
	var given map[string]string
	if err := json.Unmarshal([]byte(text), &given); err != nil {
		return nil, errors.New("ASSAY_PROXIES is not a JSON object of strings")
	}
	table := Table{}
	for origin, address := range given {
		target, err := url.Parse(origin)
		if err != nil || target.Host == "" {
			return nil, fmt.Errorf("ASSAY_PROXIES has a target that is not an address")
		}
		var proxy *url.URL
		if address != "" {
			if proxy, err = url.Parse(address); err != nil || proxy.Host == "" {
				return nil, fmt.Errorf("ASSAY_PROXIES has a proxy that is not an address")
			}
		}
		table[keyOf(target)] = proxy
	}
	return table, nil
}

var ports = map[string]string{"http": "80", "https": "443"}

func keyOf(target *url.URL) string {
	port := target.Port()
	if port == "" {
		port = ports[target.Scheme]
	}
	return target.Scheme + "://" + net.JoinHostPort(strings.ToLower(target.Hostname()), port)
}

// Proxy returns the proxy of a request to a target. Other requests follow the environment.
func (t Table) Proxy(request *http.Request) (*url.URL, error) {
	if proxy, isTarget := t[keyOf(request.URL)]; isTarget {
		return proxy, nil
	}
	return http.ProxyFromEnvironment(request)
}

// Apply makes the transport of a virtual user use the table. It must not have sent anything yet.
func (t Table) Apply(transport http.RoundTripper) error {
	if len(t) == 0 {
		return nil
	}
	own, ok := transport.(*http.Transport)
	if !ok {
		return errNotRouted
	}
	own.Proxy = t.Proxy
	return nil
}
