import { commonTexts } from '@ovation/contract/texts/common'
import classes from './opening.module.css'

/** Covers the screen from sign-in until the dialog opens, so that nobody presses a button that the dialog is about to cover. */
export const Opening = () => (
  <div className={classes.opening} role="status" aria-label={commonTexts.loading} data-opening />
)
