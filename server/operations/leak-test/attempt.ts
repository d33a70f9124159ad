import type { Scene, Secret } from './scene.ts'
import type { Visitor } from './visitor.ts'

/** One way to ask for one secret. */
export type Attempt = {
  readonly api: string
  readonly secret: Secret
  /** What is done, as a person would repeat it. */
  readonly deed: string
  /** @returns whether the secret came out. */
  run(visitor: Visitor): Promise<boolean>
}

/** All ways of one API. What the API itself tells of what it serves is asked as the visitor who tries. */
export type ApiProbe = (scene: Scene, visitor: Visitor) => Promise<readonly Attempt[]>
