import fc from "fast-check";

// Nobody reads the smallest input that notices a mutant, and looking for it takes longer than all else.
fc.configureGlobal({ seed: 20, endOnFailure: true });
