/**
 * Converts a DeploymentConfig of OpenShift to a stock Deployment and a DeploymentLifecycle with its hooks. A part that
 * has no counterpart, or whose meaning changes, is reported with its place. Pure.
 */
import { fieldsAt, textAt } from '../../kube/fields.ts';
import { fieldProblemMessage } from '../../controller/definitions/field-problem.ts';
import type { JsonObject } from '../../kube/object.ts';
import { GATED } from '../../lifecycles/rollout/names.ts';
import { validateLifecycle } from '../../lifecycles/rollout/schema/validate.ts';
import { API_VERSION } from '../../model/api-version.ts';
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
import { convertHooks } from './deployment-config-hooks.ts';

export function isDeploymentConfig(value: Fields): boolean {
  return (
    value['kind'] === 'DeploymentConfig' &&
    /^(apps\.openshift\.io\/)?v1$/.test(textAt(value['apiVersion']))
  );
}

export function convertDeploymentConfig(object: Placed): Conversion {
  const spec = part(object, 'spec');
  const strategy = strategyOf(spec);
  const hooks = convertHooks(strategy);
  const triggers = convertTriggers(spec);
  const metadata = plainMetadata(object);
  const lifecycles = Object.keys(hooks.stages).length === 0 ? [] : [lifecycle(metadata, hooks)];
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      ...metadata,
      ...(lifecycles.length > 0 && {
        labels: { ...fieldsAt(metadata['labels']), [GATED]: 'true' },
      }),
      ...(triggers.annotations !== null && {
        annotations: { ...fieldsAt(metadata['annotations']), ...triggers.annotations },
      }),
    },
    spec: deploymentSpec(spec, strategy),
  } as unknown as JsonObject;
  return {
    documents: [...lifecycles, deployment],
    remarks: [
      ...specRemarks(spec),
      ...strategyRemarks(strategy),
      ...hooks.remarks,
      ...triggers.remarks,
      ...lifecycles.flatMap((one) => judged(object, one)),
    ],
  };
}

/** The strategy of a DeploymentConfig with the parameters that apply to its type. */
export interface Strategy {
  readonly type: 'Rolling' | 'Recreate' | 'Custom';
  readonly whole: Placed;
  readonly params: Placed;
}

function strategyOf(spec: Placed): Strategy {
  const whole = part(spec, 'strategy');
  const type = textAt(whole.value['type']);
  if (type === 'Recreate') return { type, whole, params: part(whole, 'recreateParams') };
  const params = part(whole, 'rollingParams');
  return { type: type === 'Custom' ? 'Custom' : 'Rolling', whole, params };
}

function lifecycle(metadata: Fields, hooks: ReturnType<typeof convertHooks>): JsonObject {
  return {
    apiVersion: API_VERSION,
    kind: 'DeploymentLifecycle',
    metadata: kept(metadata, ['name', 'namespace']),
    spec: { deploymentName: metadata['name'], [hooks.block]: hooks.stages },
  } as unknown as JsonObject;
}

function judged(object: Placed, made: JsonObject): Remark[] {
  const { errors } = validateLifecycle({ object: made });
  return errors.map((problem) =>
    refused(
      object.path,
      `The DeploymentLifecycle would be refused: ${fieldProblemMessage(problem)}`,
    ),
  );
}

function deploymentSpec(spec: Placed, { type, params }: Strategy): Fields {
  const template = part(spec, 'template');
  const templateMetadata = part(template, 'metadata').value;
  const selector = fieldsAt(spec.value['selector'] ?? templateMetadata['labels']);
  const { timeoutSeconds } = params.value;
  const bounds = kept(params.value, ['maxUnavailable', 'maxSurge']);
  return {
    ...kept(spec.value, ['replicas', 'revisionHistoryLimit', 'minReadySeconds', 'paused']),
    ...(typeof timeoutSeconds === 'number' && { progressDeadlineSeconds: timeoutSeconds }),
    selector: { matchLabels: selector },
    strategy:
      type === 'Recreate'
        ? { type }
        : {
            type: 'RollingUpdate',
            ...(Object.keys(bounds).length > 0 && { rollingUpdate: bounds }),
          },
    template: {
      ...template.value,
      metadata: kept(templateMetadata, ['name', 'labels', 'annotations']),
    },
  };
}

function specRemarks(spec: Placed): Remark[] {
  if (spec.value['test'] !== true) return [];
  return [
    dropped(
      at(spec, 'test'),
      'Scale the Deployment to 0 when a test is over, or make it a post hook.',
    ),
  ];
}

/** Default values, which an export contains although no user set them. */
const DEFAULTS: Fields = { updatePeriodSeconds: 1, intervalSeconds: 1 };
const DEPLOYER_SECONDS = 21_600;

function strategyRemarks({ type, whole, params }: Strategy): Remark[] {
  const paces = Object.keys(DEFAULTS)
    .filter((name) => params.value[name] !== undefined && params.value[name] !== DEFAULTS[name])
    .map((name) =>
      dropped(
        at(params, name),
        'Do nothing: the Deployment controller sets the pace of a rollout.',
      ),
    );
  const { resources, activeDeadlineSeconds } = whole.value;
  const hasResources = Object.keys(fieldsAt(resources)).length > 0;
  const deadline =
    activeDeadlineSeconds !== undefined && activeDeadlineSeconds !== DEPLOYER_SECONDS;
  return [
    ...(type === 'Custom' ? [customRemark(whole)] : []),
    ...paces,
    ...(hasResources
      ? [
          dropped(
            at(whole, 'resources'),
            'Do nothing: they belonged to the deployer pod, which no longer exists.',
          ),
        ]
      : []),
    ...(deadline
      ? [
          dropped(
            at(whole, 'activeDeadlineSeconds'),
            'Set timeoutSeconds of a hook to limit it; progressDeadlineSeconds limits the rollout.',
          ),
        ]
      : []),
  ];
}

function customRemark(whole: Placed): Remark {
  return changed(
    at(whole, 'type'),
    'A Deployment has no strategy Custom: it became RollingUpdate, without the image that did the work.',
    'Do what that image did in hooks, or keep the DeploymentConfig.',
  );
}

export interface ConvertedTriggers {
  /** null: the Deployment needs no annotation. */
  readonly annotations: Fields | null;
  readonly remarks: readonly Remark[];
}

const ANNOTATION = 'image.openshift.io/triggers';

/**
 * Converts the triggers of a DeploymentConfig. A Deployment rolls out every change of its template. For its image
 * triggers the Deployment gets an annotation, which makes OpenShift set new images in the template. Pure.
 */
function convertTriggers(spec: Placed): ConvertedTriggers {
  const triggers = items(spec, 'triggers');
  const isManual =
    spec.value['triggers'] !== undefined &&
    !triggers.some(({ value }) => value['type'] === 'ConfigChange');
  const remarks = isManual ? [manualRemark(spec)] : [];
  const images = triggers.filter(({ value }) => value['type'] === 'ImageChange');
  const rows = images.flatMap((image) => rowsOf(part(image, 'imageChangeParams')));
  if (rows.length === 0) return { annotations: null, remarks };
  return {
    annotations: { [ANNOTATION]: JSON.stringify(rows) },
    remarks: [...remarks, ...images.map(imageRemark)],
  };
}

function rowsOf(params: Placed): Fields[] {
  const from = kept(fieldsAt(params.value['from']), ['kind', 'name', 'namespace']);
  const names = params.value['containerNames'];
  return (Array.isArray(names) ? names : []).map((name: unknown) => ({
    from,
    fieldPath: `spec.template.spec.containers[?(@.name=="${textAt(name)}")].image`,
    ...(params.value['automatic'] === true ? {} : { paused: true }),
  }));
}

function manualRemark(spec: Placed): Remark {
  return changed(
    at(spec, 'triggers'),
    'Without the trigger ConfigChange a change of the template waits; a Deployment rolls it out at once.',
    'Set paused: true if changes have to wait, and run `kubectl rollout resume` to start them.',
  );
}

function imageRemark(image: Placed): Remark {
  return changed(
    image.path,
    `The image stream became the annotation ${ANNOTATION}, which only OpenShift acts on.`,
    'Elsewhere, write the whole name of the image into the template, and let CI change it.',
  );
}
