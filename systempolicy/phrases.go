package systempolicy

// The phrases in which messages say what is allowed. (R40)
var (
	allowedLevels   = levelNames[:]
	allowedInProd   = levelNames[:Improve]
	allowedMapping  = []string{"mapping"}
	allowedURL      = []string{"http:// or https:// URL"}
	allowedRoutes   = []string{"list, subset of [fix]"}
	allowedCrit     = criticalityNames[:]
	allowedBool     = []string{"true", "false"}
	allowedFromOne  = []string{"integer of 1 or more"}
	allowedFromZero = []string{"integer of 0 or more"}
	allowedNumber   = []string{"number above 0"}
	allowedDays     = []string{"non-empty list of mon, tue, wed, thu, fri, sat, sun, no duplicates"}
	allowedTime     = []string{`"HH:MM" from "00:00" to "23:59"`}
	allowedZone     = []string{"IANA time zone name"}
	allowedUndo     = []string{"<n>m, <n>h or <n>d"}
)

const plainDigits = "plain decimal digits"
