/** Mistakes between objects: names that resolve to nothing, and parts that do not match. */
import type { Mistake } from './mistake.ts';
import { deployment, lifecycle, service, snapshot } from './shop-manifests.ts';

type Said = Pick<Mistake, 'title' | 'code' | 'at' | 'says' | 'next'>;

function mistaken(files: Readonly<Record<string, string>>, said: Said): Mistake {
  const inFolder = Object.entries(files).map(([name, text]) => [`shop/${name}`, text] as const);
  return { ...said, files: Object.fromEntries(inFolder), command: ['lint', 'shop'], exitCode: 1 };
}

const web = deployment();

export const referenceMistakes: readonly Mistake[] = [
  mistaken(
    {
      'web.yaml': deployment([
        '{ configMapRef: { name: web-settings',
        '{ configMapRef: { name: web-setings',
      ]),
    },
    {
      title: 'a misspelt ConfigMap',
      code: 'LHM010',
      at: 'shop/web.yaml:13:45',
      says: ['names the ConfigMap "web-setings"', 'not among the files'],
      next: 'Did you mean "web-settings"?',
    },
  ),
  mistaken(
    {
      'web.yaml': deployment([
        'envFrom: [{ configMapRef: { name: web-settings } }]',
        'env: [{ name: P, valueFrom: { configMapKeyRef: { name: web-settings, key: PROT } } }]',
      ]),
    },
    {
      title: 'a misspelt key of a ConfigMap',
      code: 'LHM012',
      at: 'shop/web.yaml:13:85',
      says: ['"PROT"', 'ConfigMap web-settings has no such key'],
      next: 'Did you mean "PORT"?',
    },
  ),
  mistaken(
    { 'web.yaml': web, 'service.yaml': service(['app: web', 'app: wbe']) },
    {
      title: 'a Service that selects no pod',
      code: 'LHM013',
      at: 'shop/service.yaml:5:13',
      says: ['Service web', 'selects no pod'],
      next: 'Did you mean app: web?',
    },
  ),
  mistaken(
    {
      'web.yaml': web,
      'lifecycle.yaml': lifecycle(['deploymentName: web', 'deploymentName: wbe']),
    },
    {
      title: 'the lifecycle of a Deployment that does not exist',
      code: 'LHM010',
      at: 'shop/lifecycle.yaml:5:19',
      says: ['names the Deployment "wbe"'],
      next: 'Did you mean "web"?',
    },
  ),
  mistaken(
    {
      'web.yaml': web,
      'lifecycle.yaml': lifecycle(['containerName: web', 'containerName: migrate']),
    },
    {
      title: 'a hook in a container that the Deployment does not have',
      code: 'LHG064',
      at: 'shop/lifecycle.yaml:9:24',
      says: ['"migrate"', 'no such container'],
      next: 'Correct this field',
    },
  ),
  mistaken(
    { 'web.yaml': web, 'lifecycle.yaml': lifecycle(['pre:', 'mid:']) },
    {
      title: 'a mid hook for a rolling update',
      code: 'LHG064',
      at: 'shop/lifecycle.yaml:8:7',
      says: ['spec.rollingUpdate.mid: Forbidden'],
      next: 'Correct this field',
    },
  ),
  mistaken(
    {
      'web.yaml': web,
      'snapshot.yaml': snapshot(['TemplateName: freeze-orders', 'TemplateName: freeze-oders']),
    },
    {
      title: 'a snapshot with a misspelt hook template',
      code: 'LHM010',
      at: 'shop/snapshot.yaml:7:34',
      says: ['names the ExecutionHookTemplate "freeze-oders"'],
      next: 'Did you mean "freeze-orders"?',
    },
  ),
  mistaken(
    { 'web.yaml': web, 'snapshot.yaml': snapshot(['Names: [orders-data]', 'Names: [order-data]']) },
    {
      title: 'a snapshot of a misspelt claim',
      code: 'LHM010',
      at: 'shop/snapshot.yaml:5:42',
      says: ['names the PersistentVolumeClaim "order-data"'],
      next: 'Did you mean "orders-data"?',
    },
  ),
  mistaken(
    { 'web.yaml': web, 'snapshot.yaml': snapshot(['ContainerName: web', 'ContainerName: wbe']) },
    {
      title: 'a snapshot hook in a container that its pods do not have',
      code: 'LHM014',
      at: 'shop/snapshot.yaml:9:43',
      says: ['"wbe"', 'no selected pod has such a container'],
      next: 'Did you mean "web"?',
    },
  ),
  mistaken(
    { 'web.yaml': web, 'lifecycle.yaml': lifecycle(['v1alpha1', 'v1']) },
    {
      title: 'a lifecycle of a version from the future',
      code: 'LHM005',
      at: 'shop/lifecycle.yaml:1:13',
      says: ['lifehook.dev/v1', 'newest that is known is lifehook.dev/v1alpha1'],
      next: 'Write apiVersion: lifehook.dev/v1alpha1.',
    },
  ),
];
