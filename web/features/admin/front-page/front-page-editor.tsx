import { Text } from '@mantine/core'
import { frontPageTexts as texts } from '@ovation/contract/texts/front-page'
import { useQuery } from '@tanstack/react-query'
import { frontPageQuery } from '../../../domain/front-page/queries.ts'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'
import { failedOf, LoadFailed } from '../../../ui/load-failed.tsx'
import { featuredQuery } from './featured-queries.ts'
import { FrontPageForm } from './front-page-form.tsx'

export default function FrontPageEditor() {
  const page = useQuery(frontPageQuery())
  const featured = useQuery(featuredQuery())
  const failed = failedOf(page, featured)
  if (failed.length > 0) return <LoadFailed title={texts.loadFailed} of={failed} />
  if (!page.data || !featured.data) return <ListSkeleton rows={4} />
  return (
    <>
      <Text c="dimmed" mb="lg">
        {texts.lead}
      </Text>
      <FrontPageForm page={page.data} featured={featured.data} />
    </>
  )
}
