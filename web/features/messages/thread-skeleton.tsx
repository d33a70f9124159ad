import { Skeleton } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import classes from './thread.module.css'

/** Where messages will stand, from the bottom as they do. */
export const ThreadSkeleton = () => (
  <div className={classes.waiting} role="status" aria-label={commonTexts.loading}>
    <Skeleton height={42} width="52%" radius="xl" />
    <Skeleton height={42} width="38%" radius="xl" ml="auto" />
    <Skeleton height={42} width="60%" radius="xl" />
    <Skeleton height={42} width="45%" radius="xl" ml="auto" />
  </div>
)
