/** The class that claims get which name none. Made where it is missing at the start; it may be changed or taken away. */
import { type Controller } from '../../../../../src/controller/controller.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import { createOrGet } from '../../../../../src/kube/create-or-get.ts';
import { storageClasses } from '../../../../../src/kube/resources.ts';
import type { ControllerContext } from '../context.ts';
import { DEFAULT_CLASS_NAME, DRIVER, IS_DEFAULT_CLASS } from './names.ts';

export async function ensureDefaultClass(client: KubeClient): Promise<void> {
  await createOrGet(client, storageClasses, {
    metadata: { name: DEFAULT_CLASS_NAME, annotations: { [IS_DEFAULT_CLASS]: 'true' } },
    provisioner: DRIVER,
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
  });
}

/** As a part of the start: it ends when its work is done, and asks for nothing later. */
export function makeDefaultClassController({ client }: ControllerContext): Controller {
  return { name: 'default-class', run: () => ensureDefaultClass(client) };
}
