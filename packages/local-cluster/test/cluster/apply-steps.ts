/** Functions that build the steps of the scripts. */
import type { Json, JsonObject } from '../../../../src/kube/object.ts';

export type Step = { readonly by: string } & (
  | { readonly do: 'create'; readonly object: JsonObject }
  | { readonly do: 'replace'; readonly change: (live: JsonObject) => JsonObject }
  | { readonly do: 'patch'; readonly type: 'json' | 'merge' | 'strategic'; readonly body: Json }
  | { readonly do: 'apply'; readonly object: JsonObject; readonly force?: boolean }
);

export interface Script {
  readonly title: string;
  readonly kind: 'ConfigMap' | 'Deployment' | 'Service' | 'Pod' | 'Example';
  readonly steps: readonly Step[];
}

export const create = (by: string, object: JsonObject): Step => ({ do: 'create', by, object });
export const apply = (by: string, object: JsonObject): Step => ({ do: 'apply', by, object });
export const force = (by: string, object: JsonObject): Step => ({
  do: 'apply',
  by,
  object,
  force: true,
});
export const replace = (by: string, change: (live: JsonObject) => JsonObject): Step => ({
  do: 'replace',
  by,
  change,
});
export const merge = (by: string, body: Json): Step => ({ do: 'patch', by, type: 'merge', body });
export const json = (by: string, ...body: Json[]): Step => ({
  do: 'patch',
  by,
  type: 'json',
  body,
});
export const strategic = (by: string, body: Json): Step => ({
  do: 'patch',
  by,
  type: 'strategic',
  body,
});

export const data = (fields: JsonObject): JsonObject => ({ data: fields });
export const labels = (fields: JsonObject): JsonObject => ({ metadata: { labels: fields } });

/** A title, followed by the steps. */
export type Story = readonly [string, ...Step[]];
