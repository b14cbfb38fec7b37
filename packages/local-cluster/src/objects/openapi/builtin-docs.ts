/** The descriptions of the built-in kinds: large, so it is imported when a document is requested. */
import docs from './builtin-docs.json' with { type: 'json' };

/** Keyed by the short name of a definition ("core.v1.Pod"). */
export const builtinDocs: typeof docs = docs;
