import type {
  HttpServiceAnswer,
  HttpServiceRequest,
  HttpServiceUpgrade,
} from '../../../../src/platform/http-server.ts';

/** The API server without a socket. The TLS front, the in-process transport and tests call these two functions. */
export interface ApiServer {
  handle(request: ServerRequest): Promise<ServerAnswer>;
  upgrade(request: ServerRequest): Promise<UpgradeAnswer>;
}

/** A request whose body is already read, within the server's size limit; `body` is '' if there is none. */
export interface ServerRequest extends HttpServiceRequest {
  /** The authenticated client. */
  readonly user: UserInfo;
}

export interface UserInfo {
  readonly username: string;
  readonly groups: readonly string[];
}

export type ServerAnswer = HttpServiceAnswer;

export type UpgradeAnswer = HttpServiceUpgrade;
