import { useEffect } from 'react'
import ActionCard from '../../domain/pending-actions/action-card.tsx'
import type { ActionTarget } from '../../domain/pending-actions/action-target.ts'

/** What the visitor joins for, beside the form (LOOP-04). */
export default function JoiningCard({ target }: { target: ActionTarget }) {
  // While they fill in the form, so that the question is there as soon as they have signed in.
  useEffect(() => void import('../../domain/pending-actions/resume-action.tsx').catch(() => undefined), [])
  return <ActionCard target={target} />
}
