/**
 * The parameters of the Kubernetes that the tests run against. test/README.md describes each LIFEHOOK_TEST_… variable.
 */
import process from 'node:process';

const RECORDED_RELEASE = '1.37';

/** Path of an administrator's kubeconfig. If absent, the recipe ../shared/modern starts a cluster. */
export const KUBECONFIG: string | undefined = given('KUBECONFIG');

/** An image with a shell and the applets of busybox. Each node has it, or can pull it. */
export const BASE_IMAGE: string = given('IMAGE') ?? 'docker.io/local/busybox:1';

/** An address of this machine at which the API server can reach the webhooks of the tests. */
export const HOST: string = given('HOST') ?? '127.0.0.1';

/** A shell command that loads an image into the nodes. Its argument is an archive in the format of `docker save`. */
export const LOAD_IMAGE: string | undefined = given('LOAD_IMAGE');

/**
 * `here`: the node shares this machine's file system. So a test can read here the files that a pod writes to a
 * hostPath.
 */
export const NODE: string | undefined = given('NODE');

/** Minor release of the cluster's Kubernetes; the recipe reads the same K8S_VERSION. */
const RELEASE: string = /^1\.\d+/.exec(process.env['K8S_VERSION'] ?? '')?.[0] ?? RECORDED_RELEASE;

/** Recordings and generated files are of one release: other releases have other messages and fields. */
export const IS_RECORDED_RELEASE: boolean = RELEASE === RECORDED_RELEASE;

function given(name: string): string | undefined {
  const value = process.env[`LIFEHOOK_TEST_${name}`];
  return value === '' ? undefined : value;
}
