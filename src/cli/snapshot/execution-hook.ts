/**
 * Converts objects of the API groups of the design document and its prototypes to Lifehook's kinds. These are
 * ExecutionHook, ExecutionHookTemplate, and VolumeSnapshot with executionHookInfos. Pure.
 */
import { fieldsAt, textAt } from '../../kube/fields.ts';
import { fieldProblemMessage } from '../../controller/definitions/field-problem.ts';
import type { JsonObject } from '../../kube/object.ts';
import { resolveRecipe } from '../../lifecycles/snapshot/recipes/all-recipes.ts';
import {
  type Findings,
  validateHook,
  type ValidateInput,
  validateSnapshot,
  validateTemplate,
} from '../../lifecycles/snapshot/schema/validate.ts';
import { API_VERSION } from '../../model/api-version.ts';
import type { DocumentPath } from '../../model/located-document.ts';
import {
  at,
  changed,
  type Conversion,
  dropped,
  type Fields,
  items,
  kept,
  part,
  type Placed,
  plainMetadata,
  refused,
  type Remark,
} from '../convert/conversion.ts';

const KINDS = ['ExecutionHook', 'ExecutionHookTemplate'];

/** True: the object is a hook of another API group than Lifehook's. Objects of Lifehook's group stay unchanged. */
export function isForeignHook({ apiVersion, kind }: Fields): boolean {
  return KINDS.includes(textAt(kind)) && !textAt(apiVersion).startsWith('lifehook.dev/');
}

/** True: a VolumeSnapshot with the extension of the design document, which the released kind does not have. */
export function isHookedSnapshot({ apiVersion, kind, spec }: Fields): boolean {
  const isSnapshot = textAt(apiVersion).startsWith('snapshot.storage.k8s.io/');
  return isSnapshot && kind === 'VolumeSnapshot' && 'executionHookInfos' in fieldsAt(spec);
}

export function convertHook(written: Placed): Conversion {
  const { placed, remarks } = straightQuotes(written);
  const isTemplate = placed.value['kind'] === 'ExecutionHookTemplate';
  return isTemplate
    ? finished(written, convertTemplate(placed), { remarks, validate: validateTemplate })
    : finished(written, convertSpec(placed), { remarks, validate: validateHook });
}

export function convertSnapshot(written: Placed): Conversion {
  const { placed, remarks } = straightQuotes(written);
  return finished(written, applicationSnapshot(placed), { remarks, validate: validateSnapshot });
}

interface Made {
  readonly object: Fields;
  readonly remarks: readonly Remark[];
}

interface Finish {
  readonly remarks: readonly Remark[];
  readonly validate: (input: ValidateInput) => Findings;
}

/** Validates the result as the webhook does, so that an error is reported before `kubectl apply`. */
function finished(written: Placed, made: Made, { remarks, validate }: Finish): Conversion {
  const object = made.object as unknown as JsonObject;
  const { errors } = validate({ object, resolveRecipe });
  const kind = textAt(made.object['kind']);
  return {
    documents: [object],
    remarks: [
      ...remarks,
      ...made.remarks,
      ...errors.map((problem) =>
        refused(
          pathOf(written, problem.field),
          `The ${kind} would be refused: ${fieldProblemMessage(problem)}`,
        ),
      ),
    ],
  };
}

/** The path of the field in the source object, which may lack the field: the place is then that of a parent. */
function pathOf(written: Placed, field: string): DocumentPath {
  const steps = field.split(/[.[\]]+/).filter((step) => step !== '');
  return at(written, ...steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step)));
}

const GENERAL = ['apiVersion', 'kind', 'metadata', 'status'];
const TARGETS = ['podContainerNamesList', 'podSelector', 'containerSelector'];

/** Converts a template. In the document's sample the fields are at the top level; some prototypes have a spec. */
function convertTemplate(object: Placed): Made {
  const body = 'spec' in object.value ? part(object, 'spec') : object;
  const actions = convertActions(body);
  const head = { apiVersion: API_VERSION, kind: 'ExecutionHookTemplate' };
  const made = { ...head, metadata: plainMetadata(object), ...actions.fields };
  return {
    object: made,
    remarks: [...actions.remarks, ...unknown(body, [...ACTIONS, ...GENERAL])],
  };
}

function convertSpec(object: Placed): Made {
  const body = part(object, 'spec');
  const actions = convertActions(body);
  const known = [...TARGETS, 'executionHookTemplateName', 'onNoTarget'];
  const spec = { ...targets(body), ...kept(body.value, known.slice(3)), ...actions.fields };
  const head = { apiVersion: API_VERSION, kind: 'ExecutionHook' };
  return {
    object: { ...head, metadata: plainMetadata(object), spec },
    remarks: [...actions.remarks, ...unknown(body, [...known, ...ACTIONS])],
  };
}

/** Converts the targets. Prototypes also write the one key of the selector in lower case. */
function targets(body: Placed): Fields {
  const fields = kept(body.value, TARGETS);
  const { containerName, ...selector } = fieldsAt(fields['containerSelector']);
  if (containerName === undefined) return fields;
  return { ...fields, containerSelector: { ...selector, ContainerName: containerName } };
}

const HANDLERS = ['exec', 'httpGet', 'tcpSocket'];
const OF_ACTION = ['actionTimeoutSeconds', 'idempotent', 'session'];
const ACTIONS = [
  'policy',
  'preAction',
  'postAction',
  'probe',
  'recipe',
  'expirationSeconds',
  'expirationTimeSeconds',
];

/** Converts actions to one spelling: handlers without an enclosing `action`, and the expiry as `expirationSeconds`. */
function convertActions(body: Placed): { readonly fields: Fields; readonly remarks: Remark[] } {
  const remarks: Remark[] = [];
  const actions = ['preAction', 'postAction'].flatMap((name) => {
    if (body.value[name] === undefined) return [];
    const action = part(body, name);
    const inner = part(action, 'action');
    remarks.push(...unknown(action, [...HANDLERS, ...OF_ACTION, 'action']));
    remarks.push(...unknown(inner, HANDLERS));
    const fields = { ...kept(inner.value, HANDLERS), ...kept(action.value, HANDLERS) };
    return [[name, { ...fields, ...kept(action.value, OF_ACTION) }] as const];
  });
  const expiration = body.value['expirationSeconds'] ?? body.value['expirationTimeSeconds'];
  const fields = {
    ...kept(body.value, ['policy', 'recipe']),
    ...Object.fromEntries(actions),
    ...kept(body.value, ['probe']),
    ...(expiration !== undefined && { expirationSeconds: expiration }),
  };
  return { fields, remarks };
}

function applicationSnapshot(object: Placed): Made {
  const spec = part(object, 'spec');
  const source = part(spec, 'source');
  const name = source.value['persistentVolumeClaimName'] ?? source.value['name'];
  const className = spec.value['volumeSnapshotClassName'] ?? spec.value['snapshotClassName'];
  const infos = items(spec, 'executionHookInfos');
  const made = {
    source: { persistentVolumeClaimNames: [name] },
    ...(className !== undefined && { volumeSnapshotClassName: className }),
    executionHookInfos: infos.map((info) => ({
      ...kept(info.value, ['executionHookTemplateName', 'recipe']),
      ...targets(info),
    })),
  };
  const known = ['source', 'executionHookInfos', 'snapshotClassName', 'volumeSnapshotClassName'];
  return {
    object: {
      apiVersion: API_VERSION,
      kind: 'ApplicationSnapshot',
      metadata: plainMetadata(object),
      spec: made,
    },
    remarks: [
      ...unknown(spec, known),
      ...unknown(source, ['name', 'kind', 'apiGroup', 'persistentVolumeClaimName']),
      ...infos.flatMap((info) =>
        unknown(info, [...TARGETS, 'executionHookTemplateName', 'recipe']),
      ),
    ],
  };
}

function unknown(placed: Placed, known: readonly string[]): Remark[] {
  return Object.keys(placed.value)
    .filter((name) => !known.includes(name))
    .map((name) =>
      dropped(at(placed, name), 'See `kubectl explain`, or docs/reference, for the fields.'),
    );
}

const QUOTED = /^[\u2018\u201C](.*)[\u2019\u201D]$/s;
/** Levels. Deeper values stay unchanged; no field of our kinds is that deep. */
const DEPTH_MAX = 40;

/**
 * Replaces typographic quotes around texts: YAML parses them as letters, and the design document's samples have them.
 */
function straightQuotes(placed: Placed): {
  readonly placed: Placed;
  readonly remarks: readonly Remark[];
} {
  const remarks: Remark[] = [];
  const value = fieldsAt(straighten(placed.value, placed.path, remarks));
  return { placed: { ...placed, value }, remarks };
}

function straighten(value: unknown, path: DocumentPath, remarks: Remark[]): unknown {
  if (path.length > DEPTH_MAX) return value;
  if (typeof value === 'string') {
    const inner = QUOTED.exec(value)?.[1];
    if (inner === undefined) return value;
    const message = `YAML reads the typographic quotes around ${value} as a part of the value: they were removed.`;
    remarks.push(changed(path, message, 'Write straight quotes, " or \', or none.'));
    return inner;
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => straighten(item, [...path, index], remarks));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(
    ([name, one]: [string, unknown]) => [name, straighten(one, [...path, name], remarks)] as const,
  );
  return Object.fromEntries(entries);
}
