package engine

import _ "embed"

// Contract is the OpenAPI document of what an engine serves: /v1/signals and /v1/status, the run record and the audit event.
//
//go:embed contract.openapi.yaml
var Contract []byte
