import { Skeleton } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import classes from './premium-skeleton.module.css'

/** A placeholder for the whole screen until the creator is known. */
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

/** A placeholder for the tabs and a line of pictures. */
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
