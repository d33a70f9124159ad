import { Title } from '@mantine/core'
import { joinTexts } from '@ovation/contract/texts/auth'
import { commonTexts } from '@ovation/contract/texts/common'
import { useQuery } from '@tanstack/react-query'
import type { CreatorIntro } from '../../domain/creators/creator-intro-query.ts'
import { FrontWords } from '../../domain/front-page/front-words.tsx'
import { frontLogo, frontPageQuery } from '../../domain/front-page/queries.ts'
import type { PendingAction } from '../../lib/auth/pending-action.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import classes from './auth-screen.module.css'

/** The operator's words; the product's own if they can't be read (LOOP-03, FIND-06). */
export function FrontHeading() {
  const { data, isPending } = useQuery(frontPageQuery())
  return (
    <div className={isPending ? classes.unknown : undefined}>
      <FrontWords
        order={1}
        headline={data?.headline}
        message={data?.message}
        logo={data?.logo_path && frontLogo(data.logo_path)}
      />
    </div>
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
