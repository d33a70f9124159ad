import { authorId, size, username } from './schema.ts'

/** One thing that clients do, as each contender's clients say it. `n` counts up from 0 and chooses the row. */
export type Workload = {
  readonly name: string
  /** For rest/v1 and what speaks like it. */
  rest(n: number, callerId: string): RestCall
  /** For PostGraphile. */
  graphql(n: number, callerId: string): { readonly query: string; readonly variables: Record<string, unknown> }
  /** The least that PostgreSQL has to do for it: one statement by hand that gives the same JSON. */
  readonly sql: { readonly text: string; values(n: number, callerId: string): unknown[] }
}

export type RestCall = {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const json = { 'content-type': 'application/json' }
const single = { accept: 'application/vnd.pgrst.object+json' }

// Multiples of numbers that share no factor with the size visit every row, in no order.
const article = (n: number) => 1 + ((n * 7919) % size.articles)
const person = (n: number) => 1 + ((n * 3571) % size.authors)

export const workloads: readonly Workload[] = [
  {
    name: 'row by key',
    rest: (n) => ({ method: 'GET', path: `/articles?id=eq.${article(n)}&select=*` }),
    graphql: (n) => ({
      query: `query Article($id: Int!) { articleByRowId(rowId: $id) { id: rowId authorId title content kind hidden likes createdAt } }`,
      variables: { id: article(n) },
    }),
    sql: {
      text: `select coalesce(json_agg(p), '[]')::text as body from (select * from bench.articles where id = $1) p`,
      values: (n) => [article(n)],
    },
  },
  {
    name: 'feed page with authors',
    rest: () => ({
      method: 'GET',
      path: `/articles?select=id,title,content,kind,likes,created_at,author:authors(id,username,display_name,avatar_url)&order=created_at.desc,id.desc&limit=20`,
    }),
    graphql: () => ({
      query: `query Feed { allArticlesList(first: 20, orderBy: [CREATED_AT_DESC, ROW_ID_DESC]) {
        id: rowId title content kind likes createdAt author: authorByAuthorId { id: rowId username displayName avatarUrl } } }`,
      variables: {},
    }),
    sql: {
      text: `select coalesce(json_agg(f), '[]')::text as body from (
        select p.id, p.title, p.content, p.kind, p.likes, p.created_at, (
          select row_to_json(a) from (select id, username, display_name, avatar_url from bench.authors where id = p.author_id) a
        ) as author
        from bench.articles p order by p.created_at desc, p.id desc limit 20) f`,
      values: () => [],
    },
  },
  {
    name: 'profile by username',
    rest: (n) => ({ method: 'GET', path: `/authors?select=*&username=eq.${username(person(n))}`, headers: single }),
    graphql: (n) => ({
      query: `query Person($username: String!) { authorByUsername(username: $username) {
        id: rowId username displayName avatarUrl bio followersCount createdAt } }`,
      variables: { username: username(person(n)) },
    }),
    sql: {
      text: `select row_to_json(p)::text as body from (select * from bench.authors where username = $1) p`,
      values: (n) => [username(person(n))],
    },
  },
  {
    name: 'nested embed with filter',
    rest: (n) => ({
      method: 'GET',
      path: `/authors?select=username,articles(id,title,remarks(body,author:authors(username)))&id=eq.${authorId(person(n))}&articles.kind=eq.photo&articles.order=created_at.desc&articles.limit=5`,
    }),
    graphql: (n) => ({
      query: `query Nested($id: UUID!) { authorByRowId(rowId: $id) { username
        articles: articlesByAuthorIdList(first: 5, condition: { kind: "photo" }, orderBy: CREATED_AT_DESC) { id: rowId title
          remarks: remarksByArticleIdList { body author: authorByAuthorId { username } } } } }`,
      variables: { id: authorId(person(n)) },
    }),
    sql: {
      text: `select coalesce(json_agg(r), '[]')::text as body from (
        select u.username, coalesce((select json_agg(p) from (
          select o.id, o.title, coalesce((select json_agg(c) from (
            select m.body, (select row_to_json(a) from (select username from bench.authors where id = m.author_id) a) as author
            from bench.remarks m where m.article_id = o.id) c), '[]') as remarks
          from bench.articles o where o.author_id = u.id and o.kind = 'photo' order by o.created_at desc limit 5) p), '[]') as articles
        from bench.authors u where u.id = $1) r`,
      values: (n) => [authorId(person(n))],
    },
  },
  {
    name: 'insert',
    rest: (n, callerId) => ({
      method: 'POST',
      path: '/remarks?select=id',
      headers: { ...json, prefer: 'return=representation' },
      body: JSON.stringify({ article_id: article(n), author_id: callerId, body: 'So true, and so well said.' }),
    }),
    graphql: (n, callerId) => ({
      query: `mutation Remark($remark: RemarkInput!) { createRemark(input: { remark: $remark }) { remark { id: rowId } } }`,
      variables: { remark: { articleId: article(n), authorId: callerId, body: 'So true, and so well said.' } },
    }),
    sql: {
      text: `with made as (insert into bench.remarks (article_id, author_id, body) values ($1, $2, $3) returning id)
        select json_agg(made)::text as body from made`,
      values: (n, callerId) => [article(n), callerId, 'So true, and so well said.'],
    },
  },
  {
    name: 'update',
    rest: (n) => ({
      method: 'PATCH',
      path: `/articles?id=eq.${article(n)}&select=id,title`,
      headers: { ...json, prefer: 'return=representation' },
      body: JSON.stringify({ title: `Changed ${n % 10}` }),
    }),
    graphql: (n) => ({
      query: `mutation Change($id: Int!, $patch: ArticlePatch!) { updateArticleByRowId(input: { rowId: $id, articlePatch: $patch }) { article { id: rowId title } } }`,
      variables: { id: article(n), patch: { title: `Changed ${n % 10}` } },
    }),
    sql: {
      text: `with changed as (update bench.articles set title = $2 where id = $1 returning id, title)
        select json_agg(changed)::text as body from changed`,
      values: (n) => [article(n), `Changed ${n % 10}`],
    },
  },
  {
    name: 'rpc',
    rest: (n) => ({
      method: 'POST',
      path: '/rpc/author_stats',
      headers: json,
      body: JSON.stringify({ author: authorId(person(n)) }),
    }),
    graphql: (n) => ({
      query: `query Stats($author: UUID!) { authorStats(author: $author) }`,
      variables: { author: authorId(person(n)) },
    }),
    sql: { text: `select bench.author_stats($1)::text as body`, values: (n) => [authorId(person(n))] },
  },
]
