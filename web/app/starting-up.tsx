import { commonTexts } from '@ovation/contract/texts/common'
import classes from './starting-up.module.css'

/** Before the first screen is there: empty paper, and a line for those who cannot see that. */
export function StartingUp() {
  return (
    <div className={classes.paper} role="status" aria-label={commonTexts.loading}>
      <div className={classes.bar} />
    </div>
  )
}
