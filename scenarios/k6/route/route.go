// Package route sends the load's requests through the proxies that the command chose, like all other requests of the
// run. k6 itself follows the environment, ignores SRC_PROXY, and never uses a proxy for this machine.
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

// Table maps the origin of each target, such as "https://search.example.com:443", to its proxy, or to nil if it has
// none.
type Table map[string]*url.URL

var errNotRouted = errors.New("this k6 gives no access to its connections, so requests cannot use the proxy of the run")

// Parse reads a JSON object of origins and proxy URLs. An empty URL means no proxy. Empty text is an empty table.
// Errors do not quote URLs, which may contain a password.
func Parse(text string) (Table, error) {
	if text == "" {
		return Table{}, nil
	}
	var entries map[string]string
	if err := json.Unmarshal([]byte(text), &entries); err != nil {
		return nil, errors.New("ASSAY_PROXIES is not a JSON object of strings")
	}
	table := Table{}
	for origin, proxyURL := range entries {
		target, err := url.Parse(origin)
		if err != nil || target.Host == "" {
			return nil, fmt.Errorf("ASSAY_PROXIES has a target that is not an address")
		}
		var proxy *url.URL
		if proxyURL != "" {
			if proxy, err = url.Parse(proxyURL); err != nil || proxy.Host == "" {
				return nil, fmt.Errorf("ASSAY_PROXIES has a proxy that is not an address")
			}
		}
		table[originKey(target)] = proxy
	}
	return table, nil
}

var defaultPorts = map[string]string{"http": "80", "https": "443"}

func originKey(target *url.URL) string {
	port := target.Port()
	if port == "" {
		port = defaultPorts[target.Scheme]
	}
	return target.Scheme + "://" + net.JoinHostPort(strings.ToLower(target.Hostname()), port)
}

// Proxy returns the proxy of a request to a target. Other requests follow the environment.
func (t Table) Proxy(request *http.Request) (*url.URL, error) {
	if proxy, isTarget := t[originKey(request.URL)]; isTarget {
		return proxy, nil
	}
	return http.ProxyFromEnvironment(request)
}

// Apply makes the transport of a virtual user use the table. The transport must not have sent anything yet.
func (t Table) Apply(transport http.RoundTripper) error {
	if len(t) == 0 {
		return nil
	}
	k6Transport, ok := transport.(*http.Transport)
	if !ok {
		return errNotRouted
	}
	k6Transport.Proxy = t.Proxy
	return nil
}
