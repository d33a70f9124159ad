import { NativeSelect } from '@mantine/core'
import { commentTexts } from '@ovation/contract/texts/comments'
import { useQuery } from '@tanstack/react-query'
import { plansQuery } from '../subscriptions/plan-queries.ts'
import { type CommentersChoice, commentersChoices } from './commenters.ts'

type Props = {
  creatorId: string
  value: CommentersChoice
  onChange: (value: CommentersChoice) => void
  /** Whether the creator's usual rule is a choice: for a post, but not for the rule itself. */
  hasDefault: boolean
  disabled: boolean
}

/** Who may comment: everyone, followers, subscribers, those of a plan, or nobody (TALK-02). */
export function CommentersField({ creatorId, value, onChange, hasDefault, disabled }: Props) {
  const plans = useQuery(plansQuery(creatorId))
  return (
    <NativeSelect
      label={commentTexts.commenters.label}
      data={commentersChoices(plans.data ?? [], hasDefault, value)}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      disabled={disabled || plans.isPending}
    />
  )
}
