/** Stateful and daemon sets and their revisions: kept and checked, but no controller makes their pods. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import type { StrategyContext } from '../../resource-definition.ts';
import { invalid } from '../../field-errors.ts';
import { copyJson } from '../../patch/json-value.ts';
import { formatRequirements } from '../../selector.ts';
import { dnsLabel } from '../../metadata-names.ts';
import { immutable, nonNegative } from '../checks.ts';
import { AGE, integerField, NAME, NONE, SELECTOR, templateColumns, text } from '../columns.ts';
import {
  fieldsAt,
  fill,
  fillObject,
  isObject,
  isTrue,
  numberAt,
  objectsAt,
  textAt,
  textMapAt,
} from '../../../../../../src/kube/fields.ts';
import type { KindSpec } from '../kind-spec.ts';
import { fillClaim } from '../storage/check-claim.ts';
import { checkCollisionCount } from './deployment.ts';
import {
  REPLICA_SCALE,
  checkSelector,
  checkTemplate,
  dropGatedInTemplate,
  fillTemplate,
  SPEC_TEMPLATE,
} from './template.ts';

const REVISIONS_KEPT = 10;

/** `status`: the numbers that a status always has. */
function gatedTemplate(status: readonly string[]): Pick<KindSpec, 'onCreate' | 'onUpdate'> {
  return {
    onCreate(draft, context) {
      dropGatedInTemplate(draft, { path: SPEC_TEMPLATE, old: undefined, context });
      draft['status'] = Object.fromEntries(status.map((name) => [name, 0]));
    },
    onUpdate(draft, old, context) {
      dropGatedInTemplate(draft, { path: SPEC_TEMPLATE, old, context });
    },
  };
}

export const statefulSet: KindSpec = {
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  nameRule: dnsLabel,
  plural: 'statefulsets',
  shortNames: ['sts'],
  categories: ['all'],
  namespaced: true,
  status: true,
  inert: true,
  scale: REPLICA_SCALE,
  generationOf: ['spec'],
  columns: [
    NAME,
    text('Ready', (object) => {
      const ready = numberAt(object, 'status', 'readyReplicas') ?? 0;
      return `${ready}/${numberAt(object, 'spec', 'replicas') ?? 0}`;
    }),
    AGE,
    ...templateColumns('spec', 'template'),
  ],
  fill(draft) {
    const spec = fillObject(draft, 'spec');
    spec['replicas'] ??= 1;
    spec['serviceName'] ??= '';
    spec['revisionHistoryLimit'] ??= REVISIONS_KEPT;
    fill(spec, 'podManagementPolicy', 'OrderedReady');
    const strategy = fillObject(spec, 'updateStrategy');
    fill(strategy, 'type', 'RollingUpdate');
    if (strategy['type'] === 'RollingUpdate') {
      const rolling = fillObject(strategy, 'rollingUpdate');
      rolling['partition'] ??= 0;
      rolling['maxUnavailable'] ??= 1;
    }
    const retention = fillObject(spec, 'persistentVolumeClaimRetentionPolicy');
    fill(retention, 'whenDeleted', 'Retain');
    fill(retention, 'whenScaled', 'Retain');
    for (const claim of objectsAt(spec, 'volumeClaimTemplates')) fillClaim(claim);
    fillTemplate(draft, SPEC_TEMPLATE);
  },
  ...gatedTemplate(['replicas', 'availableReplicas']),
  check: (object, old, context) => checkSet({ object, old, context, kind: 'StatefulSet' }),
  checkStatus: checkCollisionCount,
};

export const daemonSet: KindSpec = {
  group: 'apps',
  version: 'v1',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  shortNames: ['ds'],
  categories: ['all'],
  namespaced: true,
  status: true,
  inert: true,
  generationOf: ['spec'],
  columns: [
    NAME,
    integerField('Desired', 'status', 'desiredNumberScheduled'),
    integerField('Current', 'status', 'currentNumberScheduled'),
    integerField('Ready', 'status', 'numberReady'),
    integerField('Up-to-date', 'status', 'updatedNumberScheduled'),
    integerField('Available', 'status', 'numberAvailable'),
    text('Node Selector', nodeSelector),
    AGE,
    ...templateColumns('spec', 'template'),
    SELECTOR,
  ],
  fill(draft) {
    const spec = fillObject(draft, 'spec');
    spec['revisionHistoryLimit'] ??= REVISIONS_KEPT;
    const strategy = fillObject(spec, 'updateStrategy');
    fill(strategy, 'type', 'RollingUpdate');
    if (strategy['type'] === 'RollingUpdate') {
      const rolling = fillObject(strategy, 'rollingUpdate');
      rolling['maxUnavailable'] ??= 1;
      rolling['maxSurge'] ??= 0;
    }
    fillTemplate(draft, SPEC_TEMPLATE);
  },
  ...gatedTemplate([
    'currentNumberScheduled',
    'desiredNumberScheduled',
    'numberMisscheduled',
    'numberReady',
  ]),
  check: (object, old, context) => checkSet({ object, old, context, kind: 'DaemonSet' }),
  checkStatus: checkCollisionCount,
};

export const controllerRevision: KindSpec = {
  group: 'apps',
  version: 'v1',
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  namespaced: true,
  inert: true,
  columns: [
    NAME,
    text('Controller', controllerOf),
    text('Revision', (object) => numberAt(object, 'revision') ?? 0),
    AGE,
  ],
};

interface SetToCheck {
  readonly object: JsonObject;
  readonly old: JsonObject | undefined;
  readonly context: StrategyContext;
  readonly kind: string;
}

function checkSet({ object, old, context, kind }: SetToCheck): readonly FieldError[] {
  const spec = fieldsAt(object, 'spec');
  return [
    ...nonNegative(spec, 'spec', ['replicas', 'minReadySeconds', 'revisionHistoryLimit']),
    ...(kind === 'StatefulSet' ? checkStrategy(fieldsAt(spec, 'updateStrategy')) : []),
    ...checkSelector({ object, kind: kind.toLowerCase(), path: SPEC_TEMPLATE }),
    ...checkTemplate({
      object: withClaims(object),
      old,
      context,
      path: SPEC_TEMPLATE,
      restartPolicies: ['Always'],
      withoutDeadlineIn: kind,
    }),
    ...(old === undefined ? [] : checkSetUpdate(kind, spec, fieldsAt(old, 'spec'))),
  ];
}

/** Its pods get a volume of the name of each claim template, in place of one of that name. */
function withClaims(object: JsonObject): JsonObject {
  const names = objectsAt(object, 'spec', 'volumeClaimTemplates').map((claim) =>
    textAt(claim, 'metadata', 'name'),
  );
  if (names.length === 0) return object;
  const draft = copyJson(object);
  const template = fillObject(fillObject(fillObject(draft, 'spec'), 'template'), 'spec');
  template['volumes'] = [
    ...names.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
    ...objectsAt(template, 'volumes').filter((volume) => !names.includes(textAt(volume, 'name'))),
  ];
  return draft;
}

function checkStrategy(strategy: JsonObject): readonly FieldError[] {
  const { type, rollingUpdate } = strategy;
  if (type !== 'OnDelete' || !isObject(rollingUpdate)) return [];
  const detail = "only allowed for updateStrategy 'RollingUpdate'";
  return [invalid('spec.updateStrategy.rollingUpdate', rollingUpdate, detail)];
}

/** What of a StatefulSet is for ever. */
const NEVER_CHANGING = ['selector', 'volumeClaimTemplates', 'serviceName', 'podManagementPolicy'];

function checkSetUpdate(kind: string, spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const names = kind === 'DaemonSet' ? ['selector'] : NEVER_CHANGING;
  return names.flatMap((name) => immutable(`spec.${name}`, spec[name], old[name]));
}

function nodeSelector(object: JsonObject): string {
  const pairs = Object.entries(textMapAt(object, 'spec', 'template', 'spec', 'nodeSelector'));
  return (
    formatRequirements(pairs.map(([key, value]) => ({ key, operator: '=', values: [value] }))) ||
    NONE
  );
}

/** "statefulset.apps/web" */
function controllerOf(object: JsonObject): string {
  const owner = objectsAt(object, 'metadata', 'ownerReferences').find((entry) =>
    isTrue(entry, 'controller'),
  );
  if (owner === undefined) return NONE;
  const [group = '', version] = textAt(owner, 'apiVersion').split('/');
  const kind = textAt(owner, 'kind').toLowerCase();
  return `${version === undefined ? kind : `${kind}.${group}`}/${textAt(owner, 'name')}`;
}
