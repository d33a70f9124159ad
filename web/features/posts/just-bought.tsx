import { RefundNote } from '../../domain/payments/refund-note.tsx'
import type { ReturnedPayment } from '../../domain/payments/refund-words.ts'
import { useVerification } from '../../domain/payments/use-verification.ts'
import type { Post } from '../../domain/posts/queries.ts'
import { UnlockedBanner } from './unlocked-banner.tsx'

/** Above the post that the viewer has bought: thanks, or that the payment was refunded since. The history keeps this entry for long. */
export default function JustBought({ post }: { post: Post }) {
  const { data } = useVerification<{ hasAccess: boolean; refund: ReturnedPayment | null }>({
    name: 'verify-payment',
    body: { targetId: post.id },
    enabled: post.is_locked,
    isAwaited: () => false,
  })
  if (!post.is_locked || data?.hasAccess) return <UnlockedBanner post={post} />
  return data?.refund ? <RefundNote refund={data.refund} kind="ppv" /> : null
}
