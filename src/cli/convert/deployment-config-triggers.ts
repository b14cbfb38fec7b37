/**
 * What started the rollouts of a DeploymentConfig. A Deployment rolls out every change of its template; new
 * images of OpenShift reach it by an annotation that OpenShift itself reads. Pure.
 */
import {
  asFields,
  asText,
  at,
  changed,
  type Fields,
  items,
  kept,
  part,
  type Placed,
  type Remark,
} from './conversion.ts';

export interface ConvertedTriggers {
  /** null: none is needed. */
  readonly annotations: Fields | null;
  readonly remarks: readonly Remark[];
}

const ANNOTATION = 'image.openshift.io/triggers';

export function convertTriggers(spec: Placed): ConvertedTriggers {
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
  const from = kept(asFields(params.value['from']), ['kind', 'name', 'namespace']);
  const names = params.value['containerNames'];
  return (Array.isArray(names) ? names : []).map((name: unknown) => ({
    from,
    fieldPath: `spec.template.spec.containers[?(@.name=="${asText(name)}")].image`,
    ...(params.value['automatic'] === true ? {} : { paused: 'true' }),
  }));
}

function manualRemark(spec: Placed): Remark {
  return changed(
    at(spec, 'triggers'),
    'Without the trigger ConfigChange a change of the template waits; a Deployment rolls it out at once.',
    'Write paused: true where it has to wait, and `kubectl rollout resume` when it may go on.',
  );
}

function imageRemark(image: Placed): Remark {
  return changed(
    image.path,
    `The image stream became the annotation ${ANNOTATION}, which only OpenShift acts on.`,
    'Elsewhere, write the whole name of the image into the template, and let CI change it.',
  );
}
