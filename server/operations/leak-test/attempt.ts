import type { ApiClient } from './api-client.ts'
import type { Scene, Secret } from './scene.ts'

/** One way to request one secret. */
export type Attempt = {
  readonly api: string
  readonly secret: Secret
  /** The action, so that an operator can repeat it. */
  readonly action: string
  /** @returns whether the secret came out. */
  run(visitor: ApiClient): Promise<boolean>
}

/** All attempts on one API. The API's own descriptions are requested as the visitor. */
export type ApiProbe = (scene: Scene, visitor: ApiClient) => Promise<readonly Attempt[]>
