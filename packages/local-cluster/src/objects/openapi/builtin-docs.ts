/** Descriptions of the built-in kinds. They are large, so this file is imported only when a document is requested. */
import docs from './builtin-docs.json' with { type: 'json' };

/** Descriptions by the short name of a definition, such as "core.v1.Pod". */
export const builtinDocs: typeof docs = docs;
