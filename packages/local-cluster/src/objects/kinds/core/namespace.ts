/** Namespaces: they end when what is in them has ended, which is when the finalizer is taken off. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { validateFinalizerName } from '../../metadata-maps.ts';
import { dnsLabel } from '../../metadata-names.ts';
import { keepField } from '../define-kind.ts';
import { AGE, NAME, textField } from '../columns.ts';
import { fieldsAt, fill, fillObject, textAt, textsAt } from '../../../../../../src/kube/fields.ts';
import type { KindSpec } from '../kind-spec.ts';

const FINALIZER = 'kubernetes';
const FINALIZERS = 'spec.finalizers';
const NAME_LABEL = 'kubernetes.io/metadata.name';

export const namespace: KindSpec = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  shortNames: ['ns'],
  namespaced: false,
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  status: true,
  nameRule: dnsLabel,
  columns: [NAME, textField('Status', 'status', 'phase'), AGE],
  fieldSelectors: { 'status.phase': (object) => textAt(object, 'status', 'phase') },
  fill(draft) {
    labelWithName(draft);
    fill(fillObject(draft, 'status'), 'phase', 'Active');
  },
  onCreate(draft) {
    labelWithName(draft);
    draft['status'] = { phase: 'Active' };
    const spec = fillObject(draft, 'spec');
    const finalizers = textsAt(spec, 'finalizers');
    if (!finalizers.includes(FINALIZER)) spec['finalizers'] = [...finalizers, FINALIZER];
  },
  /** Its finalizers change through the subresource `finalize` alone. */
  onUpdate(draft, old) {
    keepField(fillObject(draft, 'spec'), fieldsAt(old, 'spec'), 'finalizers');
  },
  check: (object) =>
    textsAt(object, 'spec', 'finalizers').flatMap((name) =>
      validateFinalizerName(name, FINALIZERS),
    ),
};

/** So that selectors can name a namespace; a generated name comes after the defaults. */
function labelWithName(draft: JsonObject): void {
  const metadata = fillObject(draft, 'metadata');
  const name = textAt(metadata, 'name');
  if (name !== '') fillObject(metadata, 'labels')[NAME_LABEL] = name;
}
