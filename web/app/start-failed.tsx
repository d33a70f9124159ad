import { MantineProvider } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import { ErrorState } from '../ui/error-state.tsx'
import { cssVariables, theme } from '../ui/theme.ts'
import classes from './starting-up.module.css'

/** The whole screen while the gateway doesn't respond. */
export function StartFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <main className={classes.alone}>
        <ErrorState order={1} {...commonTexts.startFailed} onRetry={onRetry} />
      </main>
    </MantineProvider>
  )
}
