-- The words of a vector or a query, each with the end of its account's id: an index then reads what one account said, and not what all
-- did. The text of both quotes each word, and doubles quotes inside.
CREATE FUNCTION words_of_account(account_id text, words text) RETURNS text IMMUTABLE PARALLEL SAFE LANGUAGE sql
RETURN regexp_replace(words, '''((?:[^'']|'''')*)''', '''' || right(account_id, 6) || ' \1''', 'g');

-- Longer words would be too long for a vector with the account; nobody searches for them.
CREATE FUNCTION searched_words(said text) RETURNS tsvector STABLE PARALLEL SAFE LANGUAGE sql
RETURN (SELECT ts_delete(words, ARRAY(SELECT lexeme FROM unnest(words) WHERE octet_length(lexeme) > 1000)) FROM to_tsvector('english', said) AS words);

CREATE FUNCTION passage_words(account_id text, endpoint text, said text) RETURNS tsvector STABLE PARALLEL SAFE LANGUAGE sql
RETURN array_to_tsvector(ARRAY[account_id, account_id || ' ' || split_part(endpoint, '/', 1)])
  || words_of_account(account_id, searched_words(said)::text)::tsvector;

UPDATE passages SET search = passage_words(account_id, endpoint, text) FROM jobs WHERE jobs.id = job_id;
