/** What `lint.cjs` holds: the kinds of Kubernetes, and what checks manifests against them. */
export { lintManifests } from './lint-manifests.ts';
