import { Skeleton } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import classes from './profile-head.module.css'

export function ProfileSkeleton() {
  return (
    <div role="status" aria-label={commonTexts.loading}>
      <Skeleton className={classes.banner} height="auto" />
      <div className={classes.row}>
        <Skeleton circle height="var(--size)" className={classes.avatar} />
      </div>
      <Skeleton height={28} width="45%" mt="md" />
      <Skeleton height={14} width="25%" mt="sm" mb="xl" />
      <ListSkeleton rows={1} shape="post" />
    </div>
  )
}
