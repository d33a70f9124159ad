import type { DemoCreator } from '../types.ts'
import { aiko } from './aiko.ts'
import { amara } from './amara.ts'
import { bea } from './bea.ts'
import { dario } from './dario.ts'
import { elias } from './elias.ts'
import { ines } from './ines.ts'
import { juno } from './juno.ts'
import { mara } from './mara.ts'
import { nadia } from './nadia.ts'
import { noor } from './noor.ts'
import { pia } from './pia.ts'
import { tomas } from './tomas.ts'

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
