import { commonTexts } from '@ovation/contract/texts/common'
import classes from './starting-up.module.css'

/** Before the first screen: an empty page, and a message for screen readers. */
export function StartingUp() {
  return (
    <div className={classes.paper} role="status" aria-label={commonTexts.loading}>
      <div className={classes.bar} />
    </div>
  )
}
