import { lazy, Suspense } from 'react'
import { useCardQuestion } from './card-question.ts'

const CardDialog = lazy(() => import('./card-dialog.tsx'))

/** The question about a saved card, on any screen. */
export function LazyCardDialog() {
  const question = useCardQuestion()
  return (
    question && (
      <Suspense>
        <CardDialog question={question} />
      </Suspense>
    )
  )
}
