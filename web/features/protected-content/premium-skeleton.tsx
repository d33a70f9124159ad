import { Skeleton } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import classes from './premium-skeleton.module.css'

/** Where the head, the tabs and what they show will stand, before it is known whose content it is. */
export const PremiumSkeleton = () => (
  <>
    <div className={classes.head}>
      <Skeleton circle height={64} />
      <div>
        <Skeleton height={14} width="8rem" />
        <Skeleton height={28} width="13rem" mt="xs" />
      </div>
    </div>
    <PremiumContentSkeleton />
  </>
)

/** The same below the head: the tabs, and one line of pictures, as many as there is room for. */
export const PremiumContentSkeleton = () => (
  <div className={classes.content} role="status" aria-label={commonTexts.loading}>
    <div className={classes.tabs}>
      {['tab-1', 'tab-2', 'tab-3'].map((tab) => (
        <Skeleton key={tab} height={14} width="5.5rem" />
      ))}
    </div>
    <div className={classes.photos}>
      {['photo-1', 'photo-2', 'photo-3', 'photo-4', 'photo-5', 'photo-6'].map((photo) => (
        <Skeleton key={photo} className={classes.photo} height="auto" radius="md" />
      ))}
    </div>
  </div>
)
