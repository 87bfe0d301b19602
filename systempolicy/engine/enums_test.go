package engine_test

import (
	"testing"

	"example.com/ambit/internal/enum/enumtest"
	"example.com/ambit/systempolicy/engine"
)

func TestEnums(t *testing.T) {
	enumtest.Words[engine.Word](t, "not confirmed", "not confirmed", "confirmed", "not sent")
}
