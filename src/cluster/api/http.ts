import type { CancelSignal } from '../../platform/platform.ts';
import type { MessageSocket } from '../../platform/http-transport.ts';

/**
 * The API server without a socket: one function from a request to an answer, and one for upgrades. The
 * TLS front, the in-process transport of our own controllers, and tests call the same two.
 */
export interface ApiServer {
  handle(request: ServerRequest): Promise<ServerAnswer>;
  /** Null in `socket`: refused, with the answer to give instead. */
  upgrade(request: ServerRequest): Promise<UpgradeAnswer>;
}

export interface ServerRequest {
  readonly method: string;
  /** Decoded path without query: "/api/v1/namespaces/default/pods". */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Read within the server's limit before the call; '' for none. Of a protobuf body (`content-type`)
   * each character is one byte.
   */
  readonly body: string;
  /** Who asks; authentication happened in front of this. */
  readonly user: UserInfo;
  /** Aborts when the caller is gone. */
  readonly signal: CancelSignal;
}

export interface UserInfo {
  readonly username: string;
  readonly groups: readonly string[];
}

export interface ServerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text at once, or pieces as they come (watch, logs); the reader's pace is the writer's. */
  readonly body: string | AsyncIterable<string | Uint8Array>;
}

export type UpgradeAnswer =
  | { readonly kind: 'refused'; readonly answer: ServerAnswer }
  | {
      readonly kind: 'accepted';
      /** One of those the caller offered. */
      readonly protocol: string;
      /** Called with the open socket; resolves when it has been served to its end. */
      serve(socket: MessageSocket): Promise<void>;
    };
