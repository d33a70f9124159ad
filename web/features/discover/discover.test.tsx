import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildCreator, buildPost, buildProfile } from '../../testing/rows.ts'
import { signFiles } from '../../testing/sign-files.ts'
import { signIn } from '../../testing/sign-in.ts'

/** Responds for discovery and records the requests. */
function creators(...rows: ReturnType<typeof buildCreator>[]) {
  const asked: Record<string, string>[] = []
  network.use(
    http.get('*/rest/v1/rpc/discover_creators', ({ request }) => {
      asked.push(Object.fromEntries(new URL(request.url).searchParams))
      return HttpResponse.json(rows)
    }),
    answer('rpc/count_creators', rows.length),
  )
  return asked
}

it('lists creators to visitors, with names, bio, categories, counts, price and Subscribe [EXPL-01, EXPL-02, EXPL-07, EXPL-09, EXPL-10, EXPL-11, GEN-38]', async () => {
  creators(buildCreator(), buildCreator({ username: 'ida', display_name: 'Ida Wells' }))
  renderRoute('/explore')
  const card = (await screen.findByRole('link', { name: 'Noor Haddad' })).closest('article') as HTMLElement
  expect(within(card).getByRole('img', { name: 'Verified' })).toBeVisible()
  for (const text of ['@noor', 'Photographer in Lisbon.', 'Photography', '$9.99', '/ month'])
    expect(within(card).getByText(text)).toBeVisible()
  const counts = within(card)
    .getAllByRole('definition')
    .map((count) => count.parentElement?.textContent)
  expect(counts).toEqual([/subscribers/i, /posts/i, /likes/i].map((label) => expect.stringMatching(label)))
  for (const [index, count] of ['1.2K', '87', '3'].entries()) expect(counts[index]).toContain(count)
  expect(within(card).getByRole('link', { name: 'Subscribe to Noor Haddad' })).toHaveAttribute(
    'href',
    '/profile/noor?tab=subscribe',
  )
  expect(await screen.findByText('2 creators found')).toBeVisible()
})

it('addresses a face as every other list does, so that it is fetched once [API-STO-04]', async () => {
  const avatar_url = 'https://ovation.example/storage/v1/object/public/avatars/noor/face.webp'
  const { updated_at } = buildProfile()
  creators(buildCreator({ avatar_url, updated_at }))
  network.use(answer('rpc/search_profiles', [buildProfile({ avatar_url, updated_at })]))
  const addressOf = async () =>
    (await screen.findByRole('link', { name: 'Noor Haddad' }))
      .closest('article, li')
      ?.querySelector('img')
      ?.getAttribute('src')
  const { router } = renderRoute('/explore')
  const listed = await addressOf()
  await act(() => router.navigate('/search?q=noor'))
  await screen.findByRole('heading', { level: 1, name: /Search results/ })
  expect(listed).toContain(encodeURIComponent(updated_at))
  expect(await addressOf()).toBe(listed)
})

it('says Free where there is no plan [EXPL-11]', async () => {
  creators(buildCreator({ subscription_price: null }), buildCreator({ username: 'ida', display_name: null }))
  renderRoute('/explore')
  expect(await screen.findByText('Free')).toBeVisible()
  expect(screen.getByRole('link', { name: 'ida' })).toBeVisible()
  expect(await screen.findByText('2 creators found')).toBeVisible()
})

it('takes one press of Tab to the categories, and the arrow keys among them [EXPL-05]', async () => {
  creators(buildCreator())
  renderRoute('/explore')
  const group = await screen.findByRole('radiogroup', { name: 'Category' })
  // A browser makes one group of those that share a name.
  const names = within(group)
    .getAllByRole('radio')
    .map((radio) => radio.getAttribute('name'))
  expect(new Set(names)).toEqual(new Set(['category']))
})

it('sorts, filters and searches by the address, beginning with popular and all [EXPL-03, EXPL-04, EXPL-05]', async () => {
  const asked = creators(buildCreator())
  const { router } = renderRoute('/explore')
  const sort = await screen.findByLabelText('Sort by')
  expect([...sort.querySelectorAll('option')].map((option) => option.textContent)).toEqual([
    'Popular',
    'Newest',
    'Price: low to high',
    'Price: high to low',
  ])
  const view = within(screen.getByRole('radiogroup', { name: 'View' }))
  expect(view.getAllByRole('radio').map((radio) => radio.getAttribute('value'))).toEqual(['grid', 'list'])
  expect(
    screen
      .getAllByRole('radio')
      .slice(0, 9)
      .map((chip) => chip.getAttribute('value')),
  ).toEqual(['all', 'Fitness', 'Lifestyle', 'Photography', 'Fashion', 'Cooking', 'Art', 'Travel', 'Wellness'])
  await userEvent.selectOptions(sort, 'price_low')
  await userEvent.click(screen.getByRole('radio', { name: 'Art' }))
  await userEvent.type(screen.getByRole('combobox', { name: 'Search' }), 'noor')
  await waitFor(() => expect(router.state.location.search).toBe('?sort=price_low&category=Art&q=noor'))
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ sort: 'price_low', category: 'Art', search: 'noor' }))
  expect(asked[0]).toMatchObject({ sort: 'popular' })
  expect(asked[0]).not.toHaveProperty('category')
})

it('shows creators as a grid or as a list, which the address keeps [EXPL-03]', async () => {
  creators(buildCreator())
  const { router } = renderRoute('/explore')
  const card = async () => (await screen.findByRole('link', { name: 'Noor Haddad' })).closest('article')
  const view = within(await screen.findByRole('radiogroup', { name: 'View' }))
  expect(view.getByRole('radio', { name: 'Grid' })).toBeChecked()
  expect(await card()).toHaveAttribute('data-layout', 'grid')
  await userEvent.click(view.getByRole('radio', { name: 'List' }))
  await waitFor(() => expect(router.state.location.search).toBe('?view=list'))
  expect(await card()).toHaveAttribute('data-layout', 'list')
  await userEvent.click(view.getByRole('radio', { name: 'Grid' }))
  await waitFor(() => expect(router.state.location.search).toBe(''))
  expect(await card()).toHaveAttribute('data-layout', 'grid')
})

it('keeps text that is typed while the URL still has the earlier text [EXPL-03]', async () => {
  creators(buildCreator())
  const { router } = renderRoute('/explore')
  const box = await screen.findByRole('combobox', { name: 'Search' })
  await userEvent.type(box, 'noo')
  await act(() => router.navigate('/explore?q=no', { replace: true }))
  expect(box).toHaveValue('noo')
})

it('says that nothing was found, and clears the filters [EXPL-08]', async () => {
  creators()
  const { router } = renderRoute('/explore?q=zzz&category=Art')
  expect(await screen.findByRole('heading', { name: 'No creators found' })).toBeVisible()
  expect(screen.getByText('Try adjusting your search terms or filters')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(router.state.location.search).toBe(''))
  expect(screen.getByRole('combobox', { name: 'Search' })).toHaveValue('')
})

it('recovers when the creators could not be loaded', async () => {
  network.use(fail('rpc/discover_creators'), answer('rpc/count_creators', 1))
  renderRoute('/explore')
  const retry = await screen.findByRole('button', { name: 'Retry' })
  creators(buildCreator())
  await userEvent.click(retry)
  expect(await screen.findByRole('link', { name: 'Noor Haddad' })).toBeVisible()
})

it('lists the people who match, with what is known of them and a follow button [SRCH-01, SRCH-02, SRCH-03, SRCH-05, SRCH-06]', async () => {
  signIn()
  const asked: URLSearchParams[] = []
  const found = buildProfile({ avatar_url: 'https://ovation.example/storage/v1/object/public/avatars/noor/face.webp' })
  network.use(
    http.get('*/rest/v1/rpc/search_profiles', ({ request }) => {
      asked.push(new URL(request.url).searchParams)
      return HttpResponse.json([found])
    }),
    answer('follows', [{ following_id: found.id }]),
  )
  renderRoute('/search?q=noor')
  expect(await screen.findByRole('heading', { level: 1, name: 'Search results for "noor"' })).toBeVisible()
  const row = (await screen.findByRole('link', { name: 'Noor Haddad' })).closest('li') as HTMLElement
  expect(within(row).getByRole('link', { name: 'Noor Haddad' })).toHaveAttribute('href', '/profile/noor')
  expect(within(row).getByRole('link', { name: '@noor' })).toHaveAttribute('href', '/profile/noor')
  const avatar = row.querySelector('img')
  expect(avatar?.src).toContain('/avatars/noor/face.webp')
  expect(avatar?.closest('a')).toHaveAttribute('href', '/profile/noor')
  expect(within(row).getByRole('img', { name: 'Verified' })).toBeVisible()
  for (const text of ['Creator', '1,200 followers', 'Photographer in Lisbon.'])
    expect(within(row).getByText(text)).toBeVisible()
  expect(await within(row).findByRole('button', { name: 'Following Noor Haddad' })).toBeVisible()
  expect(asked[0]?.get('page_size')).toBe('20')
  expect(asked[0]?.get('search')).toBe('noor')
})

it('offers to unblock, and not to follow, somebody whom one has blocked [SRCH-05, PROF-19, D39]', async () => {
  signIn()
  const [noor, ida] = [buildProfile(), buildProfile({ id: 'ida', username: 'ida', display_name: 'Ida Wells' })]
  let blocks = [{ blocked_id: noor.id }]
  network.use(
    answer('rpc/search_profiles', [noor, ida]),
    answer('follows', []),
    http.get('*/rest/v1/blocks', () => HttpResponse.json(blocks)),
    http.delete('*/rest/v1/blocks', () => {
      blocks = []
      return new HttpResponse(null, { status: 204 })
    }),
  )
  renderRoute('/search?q=a')
  const unblock = await screen.findByRole('button', { name: 'Unblock Noor Haddad' })
  expect(screen.queryByRole('button', { name: 'Follow Noor Haddad' })).not.toBeInTheDocument()
  expect(await screen.findByRole('button', { name: 'Follow Ida Wells' })).toBeVisible()
  await userEvent.click(unblock)
  const follow = await screen.findByRole('button', { name: 'Follow Noor Haddad' })
  // The button that was pressed is gone; the focus stays where it was.
  await waitFor(() => expect(follow.parentElement).toHaveFocus())
})

it('suggests people while one types, to be chosen by keyboard; Enter without a choice searches [SRCH-04, SRCH-06, GEN-19]', async () => {
  network.use(
    answer('rpc/search_profiles', [
      buildProfile(),
      buildProfile({ id: 'c2', user_id: 'u2', username: 'nora', display_name: 'Nora Lind' }),
    ]),
    answer('profiles', [buildProfile()]),
    answer('posts', []),
  )
  const { router } = renderRoute('/nowhere')
  const box = await screen.findByRole('combobox', { name: 'Search' })
  await userEvent.type(box, 'no')
  const list = await screen.findByRole('listbox', { name: 'People' })
  expect(
    within(list)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['Noor Haddad@noor', 'Nora Lind@nora'])
  expect(box).toHaveAttribute('aria-expanded', 'true')
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  expect(box).toHaveAttribute('aria-activedescendant', within(list).getAllByRole('option')[1]?.id)
  // What a browser does by itself with Escape, it empties the box, is left to the second press.
  expect(fireEvent.keyDown(box, { key: 'Escape' })).toBe(false)
  expect(screen.queryByRole('listbox')).not.toBeInTheDocument()
  expect(fireEvent.keyDown(box, { key: 'Escape' })).toBe(true)
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/search'))
  await userEvent.clear(box)
  await userEvent.type(box, 'noo')
  await screen.findByRole('listbox', { name: 'People' })
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/noor'))
})

it('says that nobody matches [SRCH-07]', async () => {
  network.use(answer('rpc/search_profiles', []))
  renderRoute('/search?q=zzz')
  expect(await screen.findByRole('heading', { name: 'No users found matching "zzz"' })).toBeVisible()
})

it('asks for a text where the address has none', async () => {
  renderRoute('/search')
  expect(await screen.findByRole('heading', { name: 'Search for people' })).toBeVisible()
})

it('has one search box on Explore, which filters the creators while one types [LOOP-10, EXPL-03]', async () => {
  const asked = creators(buildCreator())
  network.use(answer('rpc/search_profiles', []))
  const { router } = renderRoute('/explore')
  await screen.findByRole('link', { name: 'Noor Haddad' })
  expect(screen.getAllByRole('combobox', { name: 'Search' })).toHaveLength(1)
  expect(screen.queryByRole('searchbox')).not.toBeInTheDocument()
  const box = screen.getByRole('combobox', { name: 'Search' })
  await userEvent.type(box, 'film')
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ search: 'film' }))
  expect(screen.queryByRole('listbox')).not.toBeInTheDocument()
  await userEvent.clear(box)
  await waitFor(() => expect(router.state.location.search).toBe(''))
  await userEvent.type(box, 'noor{Enter}')
  await waitFor(() => expect(router.state.location).toMatchObject({ pathname: '/search', search: '?q=noor' }))
})

it('shows results in People, Posts, and Tags, which the address keeps [LOOP-10]', async () => {
  network.use(
    answer('rpc/search_profiles', [buildProfile()]),
    answer('rpc/search_posts', [buildPost({ title: 'Photography at noon' })]),
    answer('rpc/search_tags', [{ category: 'Photography', creators: 12 }]),
    answer('rpc/record_post_views', null),
  )
  const { router } = renderRoute('/search?q=photo')
  expect(await screen.findByRole('link', { name: 'Noor Haddad' })).toBeVisible()
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['People', 'Posts', 'Tags'])
  await userEvent.click(screen.getByRole('tab', { name: 'Posts' }))
  expect(await screen.findByRole('heading', { name: 'Photography at noon' })).toBeVisible()
  expect(router.state.location.search).toBe('?q=photo&in=posts')
  await userEvent.click(screen.getByRole('tab', { name: 'Tags' }))
  expect(await screen.findByRole('link', { name: /Photography/ })).toHaveAttribute(
    'href',
    '/explore?category=Photography',
  )
  expect(screen.getByText('12 creators')).toBeVisible()
  expect(router.state.location.search).toBe('?q=photo&in=tags')
})

it.each([
  ['posts', 'No posts found matching "zzz"', 'rpc/search_posts'],
  ['tags', 'No tags found matching "zzz"', 'rpc/search_tags'],
])('says that no %s match, and offers a retry when the search fails [LOOP-10]', async (tab, empty, rpc) => {
  network.use(fail(rpc))
  renderRoute(`/search?q=zzz&in=${tab}`)
  const retry = await screen.findByRole('button', { name: 'Retry' })
  network.use(answer(rpc, []))
  await userEvent.click(retry)
  expect(await screen.findByRole('heading', { name: empty })).toBeVisible()
})

describe('the rails [LOOP-09]', () => {
  const ida = buildCreator({ username: 'ida', display_name: 'Ida Wells' })
  const rails = (...rows: [string, ReturnType<typeof buildCreator>][]) =>
    network.use(
      answer(
        'rpc/explore_rails',
        rows.map(([rail, creator]) => ({ rail, ...creator })),
      ),
    )
  const railOf = async (name: string) => within(await screen.findByRole('region', { name }))

  it('show New, Popular this week, and categories above the list, each under its heading [LOOP-09]', async () => {
    creators(buildCreator())
    rails(['new', buildCreator()], ['new', ida], ['week', ida], ['Art', ida])
    renderRoute('/explore')
    await screen.findByRole('heading', { level: 2, name: 'New' })
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'New',
      'Popular this week',
      'Art',
      'All creators',
    ])
    const fresh = await railOf('New')
    expect(fresh.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      'Noor Haddad',
      'Ida Wells',
    ])
    expect(fresh.getByRole('link', { name: 'Ida Wells' })).toHaveAttribute('href', '/profile/ida')
    expect((await railOf('Art')).getByRole('link', { name: 'See all in Art' })).toHaveAttribute(
      'href',
      '/explore?category=Art',
    )
  })

  it('sell by the picture, the face, one line, and the price or the trial, without counts [LOOP-09]', async () => {
    creators()
    rails(
      ['new', buildCreator({ cover_url: 'https://ovation.example/storage/v1/object/public/banners/noor/c.webp' })],
      ['week', { ...ida, trial_days: 7 }],
      ['Art', { ...ida, subscription_price: null, trial_days: null, bio: '' }],
    )
    renderRoute('/explore')
    const fresh = await railOf('New')
    const cover = fresh.getByRole('article').querySelector('img')
    expect(cover?.getAttribute('src')).toMatch(/^\/storage\/v1\/render\/image\/public\/banners\/noor\/c\.webp\?width=/)
    for (const text of ['Photographer in Lisbon.', '$9.99', '/ month']) expect(fresh.getByText(text)).toBeVisible()
    expect(fresh.queryByText('Subscribers')).not.toBeInTheDocument()
    const week = await railOf('Popular this week')
    expect(week.getByText('7 days free')).toBeVisible()
    expect(week.getByText('then $9.99 / month')).toBeVisible()
    const art = await railOf('Art')
    expect(art.getByText('Free')).toBeVisible()
    expect(art.getByText('Photography')).toBeVisible()
  })

  it('show posts to buy before the categories, with the cover or a blurred preview, title, creator, and price [LOOP-09]', async () => {
    creators(buildCreator())
    rails(['week', ida], ['Art', ida])
    const sold = (over: object) => buildPost({ post_type: 'ppv', is_locked: true, media_urls: [], ...over })
    const posts = [
      sold({ title: 'The pier at dawn', ppv_price: 450, cover_path: 'noor/1.webp', media_types: ['image', 'video'] }),
      sold({ title: null, content: 'How I dry my films', ppv_price: 1_200 }),
    ]
    network.use(answer('rpc/posts_for_sale', posts))
    renderRoute('/explore')
    const offered = await railOf('Posts to buy')
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Popular this week',
      'Posts to buy',
      'Art',
      'All creators',
    ])
    expect(offered.getByText('One payment, no subscription')).toBeVisible()
    const [first, second] = offered.getAllByRole('article').map((card) => within(card))
    expect(first?.getByRole('link', { name: 'The pier at dawn' })).toHaveAttribute('href', `/post/${posts[0]?.id}`)
    for (const text of ['Noor Haddad', '$4.50', '1 photo, 1 video']) expect(first?.getByText(text)).toBeVisible()
    expect(offered.getAllByRole('article')[0]?.querySelector('img')?.getAttribute('src')).toMatch(
      /^\/storage\/v1\/render\/image\/public\/covers\/noor\/1\.webp\?width=/,
    )
    expect(second?.getByRole('link', { name: 'How I dry my films' })).toBeVisible()
    expect(second?.getByText('$12.00')).toBeVisible()
  })

  it('show the creators when the posts to buy could not be loaded [LOOP-09]', async () => {
    creators()
    rails(['new', ida])
    network.use(fail('rpc/posts_for_sale'))
    renderRoute('/explore')
    await railOf('New')
    expect(screen.queryByRole('region', { name: 'Posts to buy' })).not.toBeInTheDocument()
  })

  it('show free pictures of creators without a cover, with links from one request [LOOP-09, POST-47]', async () => {
    creators()
    const asked = signFiles()
    rails(['new', { ...ida, pictures: ['u/1.jpg', 'u/2.jpg', 'u/3.jpg'] }], ['Art', { ...ida, pictures: ['u/1.jpg'] }])
    renderRoute('/explore')
    const card = (await railOf('New')).getByRole('article')
    await waitFor(() => expect(card.querySelectorAll('img')).toHaveLength(3))
    expect(card.querySelector('img')?.getAttribute('src')).toContain('/render/image/sign/posts/u/1.jpg')
    expect(asked).toEqual([['u/1.jpg', 'u/2.jpg', 'u/3.jpg']])
  })

  it('move from card to card with the arrow keys [LOOP-09]', async () => {
    creators()
    rails(['new', buildCreator()], ['new', ida], ['new', buildCreator({ username: 'max', display_name: 'Max' })])
    renderRoute('/explore')
    const fresh = await railOf('New')
    const links = fresh.getAllByRole('link')
    links[0]?.focus()
    await userEvent.keyboard('{ArrowRight}')
    expect(links[1]).toHaveFocus()
    await userEvent.keyboard('{End}')
    expect(links[2]).toHaveFocus()
    await userEvent.keyboard('{ArrowRight}')
    expect(links[2]).toHaveFocus()
    await userEvent.keyboard('{Home}')
    expect(links[0]).toHaveFocus()
    await userEvent.keyboard('{ArrowLeft}')
    expect(links[0]).toHaveFocus()
    // The browser goes forward.
    expect(fireEvent.keyDown(links[0] as HTMLElement, { key: 'ArrowRight', altKey: true })).toBe(true)
    expect(links[0]).toHaveFocus()
  })

  it('give way to the results of a search and of a category [LOOP-09, EXPL-05]', async () => {
    creators(buildCreator())
    rails(['new', ida])
    renderRoute('/explore')
    await railOf('New')
    await userEvent.click(screen.getByRole('radio', { name: 'Art' }))
    expect(await screen.findByRole('heading', { level: 2, name: 'Art' })).toBeVisible()
    expect(screen.queryByRole('region', { name: 'New' })).not.toBeInTheDocument()
    await userEvent.click(screen.getByRole('radio', { name: 'All' }))
    await railOf('New')
    await userEvent.type(screen.getByRole('combobox', { name: 'Search' }), 'noor')
    expect(await screen.findByRole('heading', { level: 2, name: 'Results' })).toBeVisible()
    expect(screen.queryByRole('region', { name: 'New' })).not.toBeInTheDocument()
  })

  it('lead to the list below, which has the focus then [LOOP-09]', async () => {
    creators()
    rails(['new', ida])
    renderRoute('/explore')
    await userEvent.click(await screen.findByRole('button', { name: 'All creators' }))
    expect(screen.getByRole('heading', { level: 2, name: 'All creators' })).toHaveFocus()
  })

  it('fail without the list, and recover [LOOP-09]', async () => {
    creators(buildCreator())
    network.use(fail('rpc/explore_rails'))
    renderRoute('/explore')
    expect(await screen.findByRole('heading', { name: "Couldn't load these creators" })).toBeVisible()
    expect(await screen.findByRole('link', { name: 'Noor Haddad' })).toBeVisible()
    rails(['new', ida])
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    await railOf('New')
  })
})

it('shows the trial and the price after it on a card [LOOP-09, EXPL-11]', async () => {
  creators(buildCreator({ trial_days: 1 }))
  renderRoute('/explore')
  expect(await screen.findByText('1 day free')).toBeVisible()
  expect(screen.getByText('then $9.99 / month')).toBeVisible()
})
