package systempolicy

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// EngineURL is an engine's address taken apart.
type EngineURL struct {
	Base string // as written, without one trailing slash: /v1/signals is appended (A-eng-7)
	Host string // lower case, without port, brackets or trailing dot (A-eng-9)
	TLS  bool   // https
}

// ParseEngineURL reads an absolute http:// or https:// URL with a host, an optional port and path, and nothing else: no
// user, no query, no fragment, ASCII only. (R14, A-eng-1 to A-eng-8)
func ParseEngineURL(text string) (EngineURL, error) {
	host, err := engineHost(text)
	if err != nil {
		return EngineURL{}, fmt.Errorf("%q is not an engine's address: %w; allowed: http:// or https:// URL", withoutSecrets(text), err)
	}
	return EngineURL{Base: strings.TrimSuffix(text, "/"), Host: host, TLS: strings.HasPrefix(text, "https:")}, nil
}

// KeychainAccount gives the name under which the engine's token is kept: "engine:" and the host. (A-eng-9)
func (u EngineURL) KeychainAccount() string { return "engine:" + u.Host }

// Signals gives the address to which signals are posted.
func (u EngineURL) Signals() string { return u.Base + "/v1/signals" }

// Status gives the address of the engine's status.
func (u EngineURL) Status() string { return u.Base + "/v1/status" }

// Loopback reports whether the host is this machine by its name or number.
func (u EngineURL) Loopback() bool {
	ip, err := netip.ParseAddr(u.Host)
	return u.Host == "localhost" || strings.HasSuffix(u.Host, ".localhost") || err == nil && ip.IsLoopback()
}

func engineHost(text string) (string, error) {
	rest, ok := strings.CutPrefix(text, "https://")
	if !ok {
		if rest, ok = strings.CutPrefix(text, "http://"); !ok {
			return "", errors.New("it does not begin with http:// or https://")
		}
	}
	for i := 0; i < len(text); i++ {
		if c := text[i]; c <= ' ' || c >= 0x7f || c == '\\' {
			return "", errors.New("it holds white space, a control character, a backslash or a letter beyond ASCII")
		}
	}
	if strings.ContainsAny(text, "?#") {
		return "", errors.New("it has a query or a fragment")
	}
	authority, path, _ := strings.Cut(rest, "/")
	if strings.Contains(authority, "@") {
		return "", errors.New("it has user information")
	}
	for i := 0; i < len(path); i++ {
		if path[i] == '%' && (i+2 >= len(path) || !hex(path[i+1]) || !hex(path[i+2])) {
			return "", errors.New("its path has a broken escape")
		}
	}
	host, port, hasPort := authority, "", false
	if strings.HasPrefix(authority, "[") {
		end := strings.IndexByte(authority, ']')
		if end < 0 {
			return "", errors.New("its host has no closing bracket")
		}
		host, port, hasPort = authority[:end+1], authority[end+1:], end+1 < len(authority)
		if hasPort && port[0] != ':' {
			return "", errors.New("its host is followed by something else than a port")
		}
		port = strings.TrimPrefix(port, ":")
	} else {
		host, port, hasPort = strings.Cut(authority, ":")
	}
	if n, err := strconv.ParseUint(port, 10, 16); hasPort && (err != nil || n == 0 || port[0] == '0') {
		return "", errors.New("its port is not a number from 1 to 65535")
	}
	return plainHost(host)
}

// withoutSecrets gives an address for a message: where a user, a query or a fragment could hold a password or a token,
// nothing of it but the scheme.
func withoutSecrets(text string) string {
	if !strings.ContainsAny(text, "@?#") {
		return text
	}
	scheme, _, found := strings.Cut(text, "://")
	if !found || strings.ContainsAny(scheme, "@?#") {
		return "***"
	}
	return scheme + "://***"
}

// plainHost checks a host and gives it lower-cased, without brackets or trailing dot.
func plainHost(host string) (string, error) {
	if inner, ok := strings.CutPrefix(host, "["); ok {
		ip, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
		if err != nil || !ip.Is6() || ip.Zone() != "" {
			return "", errors.New("its host is no IPv6 address")
		}
		return strings.ToLower(strings.TrimSuffix(inner, "]")), nil
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	labels := strings.Split(host, ".")
	if host == "" || len(host) > 253 {
		return "", errors.New("it has no host")
	}
	for _, label := range labels {
		if !plainLabel(label) {
			return "", fmt.Errorf("its host has a bad part %q", label)
		}
	}
	if last := labels[len(labels)-1]; strings.Trim(last, "0123456789") == "" {
		if _, err := netip.ParseAddr(host); err != nil {
			return "", errors.New("its host is no IPv4 address")
		}
	}
	return host, nil
}

func plainLabel(label string) bool {
	if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
		return false
	}
	return strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

func hex(c byte) bool { return strings.IndexByte("0123456789abcdefABCDEF", c) >= 0 }
