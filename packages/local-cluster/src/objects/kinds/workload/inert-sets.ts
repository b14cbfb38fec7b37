/** The kinds StatefulSet, DaemonSet and ControllerRevision: stored and checked, but no controller acts on them. */
import { unchanged } from '../interpret.ts';
import { notNegative } from '../field-checks.ts';
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { type FieldError, invalid } from '../../field-error.ts';
import { copyJson } from '../../patch/json-value.ts';
import { dnsLabel } from '../../metadata-names.ts';
import {
  AGE,
  integerField,
  NAME,
  READY_REPLICAS,
  pairsField,
  NONE,
  SELECTOR,
  templateColumns,
  text,
} from '../columns.ts';
import {
  fieldsAt,
  fillObject,
  isObject,
  isTrue,
  numberAt,
  objectsAt,
  textAt,
} from '../../../../../../src/kube/fields.ts';
import { inNamespace, type KindSpec } from '../kind-spec.ts';
import { checkCollisionCount } from './deployment.ts';
import { checkTemplate, REPLICA_SCALE, selectorOf, SPEC_TEMPLATE } from './template.ts';

const REVISIONS_KEPT = 10;

const ROLLING = ['spec.updateStrategy.type', 'RollingUpdate'] as const;

export const statefulSet: KindSpec = {
  ...inNamespace('apps/v1', 'StatefulSet', 'sts'),
  nameRule: dnsLabel,
  categories: ['all'],
  status: true,
  inert: true,
  scale: REPLICA_SCALE,
  generationOf: ['spec'],
  columns: [NAME, READY_REPLICAS, AGE, ...templateColumns('spec', 'template')],
  defaults: [
    ['spec.replicas', 1],
    ['spec.serviceName', ''],
    ['spec.revisionHistoryLimit', REVISIONS_KEPT],
    ['spec.podManagementPolicy', 'OrderedReady'],
    ['spec.updateStrategy.type', 'RollingUpdate'],
    ['spec.updateStrategy.rollingUpdate.partition', 0, ROLLING],
    ['spec.updateStrategy.rollingUpdate.maxUnavailable', 1, ROLLING],
    ['spec.persistentVolumeClaimRetentionPolicy.whenDeleted', 'Retain'],
    ['spec.persistentVolumeClaimRetentionPolicy.whenScaled', 'Retain'],
    ['spec.volumeClaimTemplates[].spec.volumeMode', 'Filesystem'],
  ],
  template: { restartPolicies: ['Always'], withoutDeadlineIn: 'StatefulSet' },
  newStatus: { replicas: 0, availableReplicas: 0 },
  rules: [
    ['spec.{replicas,minReadySeconds,revisionHistoryLimit}', notNegative],
    (object) => checkStrategy(fieldsAt(object, 'spec', 'updateStrategy')),
    selectorOf('statefulset'),
    (object, old, context) =>
      checkTemplate({
        object: withClaims(object),
        old,
        context,
        path: SPEC_TEMPLATE,
        restartPolicies: ['Always'],
        withoutDeadlineIn: 'StatefulSet',
      }),
    ['spec.{selector,volumeClaimTemplates}', unchanged],
    ['spec.{serviceName,podManagementPolicy}', unchanged],
  ],
  statusRules: [checkCollisionCount],
};

export const daemonSet: KindSpec = {
  ...inNamespace('apps/v1', 'DaemonSet', 'ds'),
  categories: ['all'],
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
    pairsField('Node Selector', 'spec', 'template', 'spec', 'nodeSelector'),
    AGE,
    ...templateColumns('spec', 'template'),
    SELECTOR,
  ],
  defaults: [
    ['spec.revisionHistoryLimit', REVISIONS_KEPT],
    ['spec.updateStrategy.type', 'RollingUpdate'],
    ['spec.updateStrategy.rollingUpdate.maxUnavailable', 1, ROLLING],
    ['spec.updateStrategy.rollingUpdate.maxSurge', 0, ROLLING],
  ],
  template: { restartPolicies: ['Always'], withoutDeadlineIn: 'DaemonSet' },
  newStatus: {
    currentNumberScheduled: 0,
    desiredNumberScheduled: 0,
    numberMisscheduled: 0,
    numberReady: 0,
  },
  rules: [
    ['spec.{minReadySeconds,revisionHistoryLimit}', notNegative],
    selectorOf('daemonset'),
    'template',
    ['spec.selector', unchanged],
  ],
  statusRules: [checkCollisionCount],
};

export const controllerRevision: KindSpec = {
  ...inNamespace('apps/v1', 'ControllerRevision'),
  inert: true,
  columns: [
    NAME,
    text('Controller', controllerOf),
    text('Revision', (object) => numberAt(object, 'revision') ?? 0),
    AGE,
  ],
};

/** Adds a volume for each claim template; the added one replaces a volume of the same name. */
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

/** Kind and name of the controlling owner, such as "statefulset.apps/web". */
function controllerOf(object: JsonObject): string {
  const owner = objectsAt(object, 'metadata', 'ownerReferences').find((entry) =>
    isTrue(entry, 'controller'),
  );
  if (owner === undefined) return NONE;
  const [group = '', version] = textAt(owner, 'apiVersion').split('/');
  const kind = textAt(owner, 'kind').toLowerCase();
  return `${version === undefined ? kind : `${kind}.${group}`}/${textAt(owner, 'name')}`;
}
