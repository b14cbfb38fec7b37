import type {
  HttpServiceAnswer,
  HttpServiceRequest,
  HttpServiceUpgrade,
} from '../../../../src/platform/http-server.ts';

/**
 * The API server without a socket: one function for requests, and one for upgrades. The TLS front, the
 * in-process transport of our own controllers, and tests call these two.
 */
export interface ApiServer {
  handle(request: ServerRequest): Promise<ServerAnswer>;
  upgrade(request: ServerRequest): Promise<UpgradeAnswer>;
}

/** The body is read within the server's limit before the call; '' for none. */
export interface ServerRequest extends HttpServiceRequest {
  /** The client, which is already authenticated. */
  readonly user: UserInfo;
}

export interface UserInfo {
  readonly username: string;
  readonly groups: readonly string[];
}

export type ServerAnswer = HttpServiceAnswer;

export type UpgradeAnswer = HttpServiceUpgrade;
