import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { searchTexts } from '@ovation/contract/texts/discover'
import { IconUserSearch } from '@tabler/icons-react'
import { Link } from 'react-router'
import { EmptyState } from '../../ui/empty-state.tsx'

/** SRCH-07 */
export function NothingFound({ title }: { title: string }) {
  return (
    <EmptyState
      icon={<IconUserSearch size={26} stroke={1.5} />}
      title={title}
      message={searchTexts.emptyHint}
      action={
        <Button component={Link} to={paths.explore} variant="default">
          {searchTexts.explore}
        </Button>
      }
    />
  )
}
