import { Title } from '@mantine/core'
import { authTexts, joinTexts } from '@ovation/contract/texts/auth'
import { commonTexts } from '@ovation/contract/texts/common'
import type { CreatorIntro } from '../../domain/creators/queries.ts'
import type { PendingAction } from '../../lib/auth/pending-action.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import classes from './auth-screen.module.css'

export function FrontHeading() {
  return (
    <>
      <Title order={1} className={classes.headline}>
        {authTexts.front.title}
      </Title>
      <p className={classes.message}>{authTexts.front.message}</p>
    </>
  )
}

type Props = {
  action: PendingAction
  /** Until it has loaded, the heading names nobody. */
  creator: CreatorIntro | undefined
  /** Whether the form creates an account. */
  isNew: boolean
}

/** "Join to subscribe to {name}" (LOOP-04), then the reason (GEN-40). */
export function JoinHeading({ action, creator, isNew }: Props) {
  return (
    <>
      <Title order={1} className={classes.joinTitle}>
        {creator ? (
          <>
            {isNew ? joinTexts.join : joinTexts.signIn} {joinTexts.actions[action.kind]} <bdi>{nameOf(creator)}</bdi>
          </>
        ) : (
          commonTexts.signInRequired.message
        )}
      </Title>
      <p className={classes.reason}>
        <span>{commonTexts.signInRequired.title}</span>
        {isNew && `: ${joinTexts.free}`}
      </p>
    </>
  )
}
