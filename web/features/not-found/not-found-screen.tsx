import { Button, Text, Title } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { commonTexts } from '@ovation/contract/texts/common'
import { notFoundTexts } from '@ovation/contract/texts/not-found'
import { Link, useLocation } from 'react-router'
import { Page } from '../../ui/page.tsx'
import classes from './not-found-screen.module.css'

/** Unknown URLs, and `/404` (404-01). The screen that leads there can say what is missing (PROF-03). */
export function NotFoundScreen() {
  const state: { missing?: string } | null = useLocation().state
  return (
    <Page title={notFoundTexts.title} heading={null}>
      <div className={classes.screen}>
        <p className={classes.code}>{notFoundTexts.code}</p>
        <Title order={1} className={classes.title}>
          {notFoundTexts.title}
        </Title>
        <Text c="dimmed" mt="xs">
          {state?.missing ?? notFoundTexts.message}
        </Text>
        <Button component={Link} to={paths.home} mt="xl">
          {commonTexts.returnHome}
        </Button>
      </div>
    </Page>
  )
}
