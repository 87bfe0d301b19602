package turnenvelope

import (
	"strconv"

	"example.com/ambit/internal/canonjson"
)

// E7: the protocol packet is rebuilt from the projection; what cannot be rebuilt is kept.

var derivationInputs = []string{"action", "user", "work_lane_contract", "automation_liveness", "scheduler"}

// packetField is one key of the packet's summary.
type packetField struct {
	key string
	v   datum
}

// packetFields is a packet's fields, in order.
type packetFields []packetField

func (fs *packetFields) add(key string, v datum) {
	if v.kind != noDatum {
		*fs = append(*fs, packetField{key, v})
	}
}

func (fs packetFields) get(key string) datum {
	for _, f := range fs {
		if f.key == key {
			return f.v
		}
	}
	return datum{}
}

// render gives the summary's text. E7.4
func (fs packetFields) render() []byte {
	b := make([]byte, 0, 512)
	for i, f := range fs {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(append(b, f.key...), '=')
		if yes, ok := f.v.truth(); ok {
			b = strconv.AppendBool(b, yes)
		} else {
			b = append(b, f.v.text()...)
		}
	}
	return b
}

// emitPacket writes the capsule's entry for the protocol packet. E7.1
func (p *projection) emitPacket(e *emitter) {
	packet := obj(p.d.Get("protocol_action_packet"))
	if packet.Empty() || !obj(p.d.Get("replan_action_packet")).Empty() {
		return
	}
	summary := cleanValue(packet.Get("summary"), 2000)
	source, derived := p.sourceFields(), p.derivedFields()
	var residue packetFields
	for _, f := range source {
		if !f.v.same(derived.get(f.key)) {
			residue = append(residue, f)
		}
	}
	verified := summary != "" && string(source.render()) == summary
	status := "unverified_retain_summary"
	if verified && len(residue) == 0 {
		status = "verified"
	} else if verified {
		status = "verified_with_residue"
	}
	e.object("protocol_action_packet", func(e *emitter) {
		e.rawField("schema_version", packet.Get("schema_version"))
		e.boolField("present", true)
		e.textField("summary_hash", canonjson.HashBytes(canonjson.AppendString(nil, summary)))
		e.textField("derivation_status", status)
		e.boolField("reconstruction_verified", verified)
		e.textField("llm_policy", "no_api")
		e.textsIf("candidate_derivation_inputs", derivationInputs)
		e.objectIf("residue", func(e *emitter) {
			for _, f := range residue {
				e.datumIf(f.key, f.v)
			}
		})
		if !verified {
			e.textOrNull("summary", summary)
		}
	})
}
