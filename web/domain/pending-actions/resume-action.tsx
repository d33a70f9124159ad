import { Button, Group, Text } from '@mantine/core'
import { joinTexts } from '@ovation/contract/texts/auth'
import { payingTexts } from '@ovation/contract/texts/paying'
import { postTexts } from '@ovation/contract/texts/posts'
import { profileTabsTexts } from '@ovation/contract/texts/profile-tabs'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { parseAction } from '../../lib/auth/parse-pending-action.ts'
import { actionParameter, type PendingAction } from '../../lib/auth/pending-action.ts'
import { nameOf, type Viewer } from '../../lib/auth/viewer.ts'
// Not lazy: it loads together with this file.
import DialogFrame from '../../ui/dialog-frame.tsx'
import { FollowButton } from '../follows/follow-button.tsx'
import { followsQuery } from '../follows/queries.ts'
import TipDialog from '../payments/tip-dialog.tsx'
import { useCheckout } from '../payments/use-checkout.ts'
import { currentPlanQuery } from '../subscriptions/plan-queries.ts'
import { useSubscribe } from '../subscriptions/use-subscribe.ts'
import ActionCard from './action-card.tsx'
import { type ActionTarget, actionTargetQuery } from './action-target.ts'
import classes from './resume-action.module.css'

const texts = joinTexts.resume

/** Covers the screen from sign-in until the dialog opens, so that nobody presses a button that the dialog is about to cover. */
const opening = <div className={classes.opening} data-opening />

/**
 * Asks the user whether to continue with what they tried to do as a visitor. Nothing happens without their click, because anyone can
 * write such a link. Closes by removing its parameter from the URL.
 * @param viewer undefined while it loads.
 */
export default function ResumeAction({ viewer, text }: { viewer: Viewer | undefined; text: string }) {
  const [, setParameters] = useSearchParams()
  const close = useCallback(
    () =>
      setParameters(
        (current) => {
          current.delete(actionParameter)
          return current
        },
        { replace: true, preventScrollReset: true },
      ),
    [setParameters],
  )
  if (!viewer) return opening
  const action = parseAction(text)
  if (!action || !isResumable(action.kind)) return <Done close={close} />
  return <Resume viewer={viewer} action={action} close={close} />
}

/** The other actions are one click on the screen itself. */
const isResumable = (kind: PendingAction['kind']): boolean =>
  ['follow', 'subscribe', 'buy', 'tip', 'tip-post'].includes(kind)

/** There is nothing to ask. */
function Done({ close }: { close: () => void }) {
  useEffect(close, [close])
  return null
}

type Props = { viewer: Viewer; action: PendingAction; close: () => void }

function Resume({ viewer, action, close }: Props) {
  const target = useQuery(actionTargetQuery(action))
  if (target.isPending) return opening
  // What doesn't exist anymore, and the viewer's own content, is left to the screen below.
  if (!target.data || target.data.creator.id === viewer.profileId) return <Done close={close} />
  const { creator } = target.data
  const props = { viewer, target: target.data, close }
  switch (action.kind) {
    case 'subscribe':
      return <ResumeSubscribing {...props} />
    case 'buy':
      return <ResumeBuying {...props} />
    case 'follow':
      return <ResumeFollowing {...props} />
    default: {
      const { post } = target.data
      const tipped = { creatorId: creator.id, name: nameOf(creator), ...(post && { postId: post.id }) }
      return <TipDialog target={tipped} onClose={close} />
    }
  }
}

type ResumeProps = { viewer: Viewer; target: ActionTarget; close: () => void }

function ResumeSubscribing({ viewer, target, close }: ResumeProps) {
  const current = useQuery(currentPlanQuery(viewer.profileId, target.creator.id))
  const subscribe = useSubscribe()
  const [params] = useSearchParams()
  const code = params.get('code') ?? ''
  const { plan } = target
  if (current.isPending) return opening
  // The account has a subscription already: the plans below offer to switch. They also have the term that the visitor chose.
  if (!plan || current.data || params.has('term')) return <Done close={close} />
  return (
    <Question target={target} close={close} failure={subscribe.codeError} hasCode={code !== ''}>
      <Button
        onClick={() => subscribe.start(plan.id, { promotionCode: code })}
        loading={subscribe.pending !== undefined}
        data-autofocus="true"
      >
        {profileTabsTexts.plan.subscribe}
      </Button>
    </Question>
  )
}

function ResumeBuying({ target, close }: ResumeProps) {
  const purchase = useCheckout<{ kind: 'ppv'; targetId: string }>('create-payment-checkout', payingTexts.error, {
    onPaid: close,
  })
  const { post } = target
  if (!post?.is_locked) return <Done close={close} />
  return (
    <Question target={target} close={close}>
      <Button
        onClick={() => purchase.start({ kind: 'ppv', targetId: post.id })}
        loading={purchase.pending !== undefined}
        data-autofocus="true"
      >
        {postTexts.purchase}
      </Button>
    </Question>
  )
}

function ResumeFollowing({ viewer, target: { creator }, target, close }: ResumeProps) {
  const follows = useQuery(followsQuery(viewer.profileId, [creator.id]))
  if (follows.isPending) return opening
  if (follows.data?.includes(creator.id)) return <Done close={close} />
  return (
    <Question target={target} close={close}>
      <FollowButton profileId={creator.id} name={nameOf(creator)} onChange={close} />
    </Question>
  )
}

type QuestionProps = {
  target: ActionTarget
  close: () => void
  failure?: string | undefined
  hasCode?: boolean
  /** The button that continues. */
  children: ReactNode
}

function Question({ target, close, failure, hasCode = false, children }: QuestionProps) {
  return (
    <DialogFrame title={texts.title} onClose={close} size="sm">
      <ActionCard target={target} />
      {failure && (
        <Text c="var(--mantine-color-error)" role="alert" mt="md">
          {failure}
        </Text>
      )}
      {hasCode && (
        <Text c="dimmed" size="sm" mt="md">
          {texts.withCode}
        </Text>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close}>
          {texts.notNow}
        </Button>
        {children}
      </Group>
    </DialogFrame>
  )
}
