/** The fields of a Deployment that the gate keeps, and the JSON patch that gives it other ones. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { sameJson } from '../../../controller/same-json.ts';
import type { Json } from '../../../kube/object.ts';
import { GATED, RELEASED, ROLLOUT, WANTED_REPLICAS } from '../names.ts';

export interface GatedFields {
  /** The label's value; undefined: there is none. */
  readonly label: string | undefined;
  /** Annotations; undefined: there is none. */
  readonly rollout: string | undefined;
  readonly released: string | undefined;
  readonly wanted: string | undefined;
  readonly paused: boolean;
  /** undefined: it says none. */
  readonly replicas: number | undefined;
}

export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'test';
  readonly path: string;
  readonly value?: Json;
}

/** Whole maps are put in, so that it does not matter whether there was one. Empty: nothing differs. */
export function patchTo(
  { metadata: { labels = {}, annotations = {} } = {}, spec }: Deployment,
  fields: GatedFields,
): PatchOperation[] {
  const put = (path: string, is: Json, shall: Json): PatchOperation[] =>
    sameJson(is, shall) ? [] : [{ op: 'add', path, value: shall }];
  return [
    ...put('/metadata/labels', labels, { ...labels, ...given({ [GATED]: fields.label }) }),
    ...put('/metadata/annotations', annotations, annotated(annotations, fields)),
    ...put('/spec/paused', spec?.paused === true, fields.paused),
    ...put('/spec/replicas', spec?.replicas ?? null, fields.replicas ?? null),
  ];
}

function annotated(
  annotations: Readonly<Record<string, string>>,
  { rollout, released, wanted }: GatedFields,
): Record<string, string> {
  const { [ROLLOUT]: _, [RELEASED]: __, [WANTED_REPLICAS]: ___, ...others } = annotations;
  const ours = { [ROLLOUT]: rollout, [RELEASED]: released, [WANTED_REPLICAS]: wanted };
  return { ...others, ...given(ours) };
}

/** Without what is not there. */
function given(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
