/** The parameters of the Kubernetes that the tests run against: LIFEHOOK_TEST_…, described in test/README.md. */
import process from 'node:process';

const RECORDED_RELEASE = '1.37';

/** A kubeconfig of an administrator; absent: the recipe next to this checkout starts a cluster. */
export const KUBECONFIG: string | undefined = given('KUBECONFIG');

/** Has a shell and the applets of busybox, and is on each node or can be pulled. */
export const BASE_IMAGE: string = given('IMAGE') ?? 'docker.io/local/busybox:1';

/** An address of this machine at which the API server reaches webhooks of the tests. */
export const HOST: string = given('HOST') ?? '127.0.0.1';

/** A shell command; its argument is an image archive as `docker save` writes it. */
export const LOAD_IMAGE: string | undefined = given('LOAD_IMAGE');

/** `here`: the node has this machine's files, so what a pod writes into a hostPath is read here. */
export const NODE: string | undefined = given('NODE');

/** The minor release of that Kubernetes; the recipe reads the same K8S_VERSION. */
const RELEASE: string = /^1\.\d+/.exec(process.env['K8S_VERSION'] ?? '')?.[0] ?? RECORDED_RELEASE;

/** Recordings and generated files are of one release: servers of other releases have other texts and fields. */
export const IS_RECORDED_RELEASE: boolean = RELEASE === RECORDED_RELEASE;

function given(name: string): string | undefined {
  const value = process.env[`LIFEHOOK_TEST_${name}`];
  return value === '' ? undefined : value;
}
