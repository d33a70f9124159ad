import { commonTexts } from '@ovation/contract/texts/common'
import { IconRosetteDiscountCheckFilled } from '@tabler/icons-react'
import classes from './marks.module.css'

/** Marks a creator whose identity was verified. */
export function VerifiedBadge({ size = 18 }: { size?: number }) {
  return (
    <span className={classes.verified} role="img" aria-label={commonTexts.verified} title={commonTexts.verified}>
      <IconRosetteDiscountCheckFilled size={size} aria-hidden="true" />
    </span>
  )
}
