/** Parses one YAML document as JSON, and returns the paths of duplicate keys. The last value of a key counts. */
import type { Json } from '../../../../src/kube/object.ts';
import { loadYaml } from '../../../../src/model/yaml-text.ts';
import { refuseDeepYaml } from '../../../../src/model/yaml-nesting.ts';

export type ReadYaml =
  | { readonly kind: 'read'; readonly body: Json; readonly duplicates: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string };

/** Maximum number of expansions of aliases in one document. */
const ALIASES_MAX = 100;

export async function readYaml(text: string): Promise<ReadYaml> {
  const yaml = await loadYaml();
  const duplicates: string[] = [];
  const look = (node: unknown, path: string): void => {
    if (yaml.isSeq(node))
      node.items.forEach((item, index) => {
        look(item, `${path}[${index}]`);
      });
    if (!yaml.isMap(node)) return;
    const names = new Set<string>();
    for (const { key, value } of node.items) {
      const name = String(yaml.isScalar(key) ? key.value : key);
      const own = path === '' ? name : `${path}.${name}`;
      if (names.has(name)) duplicates.push(own);
      names.add(name);
      look(value, own);
    }
  };
  try {
    refuseDeepYaml(yaml, text);
    const document = yaml.parseDocument(text, { uniqueKeys: false });
    const [error] = document.errors;
    if (error !== undefined) return { kind: 'failed', message: error.message };
    // Converted through JSON, so that dates and similar values are what a JSON body would contain.
    const body = JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: ALIASES_MAX }))) as Json;
    look(document.contents, '');
    return { kind: 'read', body, duplicates };
  } catch (failure) {
    return {
      kind: 'failed',
      message: failure instanceof Error ? failure.message : String(failure),
    };
  }
}
