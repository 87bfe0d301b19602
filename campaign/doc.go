// Package campaign answers: what would the agent propose, if it had no power to do it?
//
// An agent that sees its own coverage gaps may draft a plan to close them. [Evaluate] turns such gaps, a policy and the
// ledger of failed plans ([Inputs], read by [Load]) into a packet of proposals, judged by four ordered checks: the policy
// allows no writing; a builder, watched by a [Witness], reports work and wrote nothing; there is something to propose;
// and no row authorises anything. A [Candidate] has no field that could grant power: its stamps are methods.
//
// Two witnesses ship. [Builder] runs a real campaign builder in its check-only mode, with nothing of ours in its
// environment, a time limit, capped output, confined by Landlock where the kernel has it, and does not believe it on its
// word: the whole work tree is compared before and after. [Manifest] reads a copied source module instead.
//
// [Run] does all of it and writes a record that carries refs, digests, counts and hashes, and nothing else; [Verify]
// re-checks such a record offline; [CheckPacket] judges a packet that somebody else drafted.
//
// Whatever the verdict, a record grants nothing: it is a proposal about work, for a person to look at.
//
// P and H with a number, as in P31, cite the rules of the specification.
package campaign
