import { aiko } from './creators/aiko.ts'
import { amara } from './creators/amara.ts'
import { bea } from './creators/bea.ts'
import { dario } from './creators/dario.ts'
import { elias } from './creators/elias.ts'
import { ines } from './creators/ines.ts'
import { juno } from './creators/juno.ts'
import { mara } from './creators/mara.ts'
import { nadia } from './creators/nadia.ts'
import { noor } from './creators/noor.ts'
import { pia } from './creators/pia.ts'
import { tomas } from './creators/tomas.ts'
import type { DemoCreator } from './types.ts'

/** The sample creators (GEN-17). The first is the default of `/protected-content`; the first two have printed logins. */
export const demoCreators: readonly DemoCreator[] = [
  mara,
  tomas,
  ines,
  juno,
  bea,
  noor,
  aiko,
  dario,
  elias,
  amara,
  nadia,
  pia,
]
