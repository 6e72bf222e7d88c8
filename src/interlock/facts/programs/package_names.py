"""Packages that many people install, and whether a name is almost one of theirs: `reqeusts`, `loadsh`.

A name that somebody mistypes may have been registered by somebody who waits for that. A name counts as mistyped if it
is one letter away from a popular one of the same index, and is no package that people really use.
"""

from __future__ import annotations

from functools import lru_cache

__all__ = ["INDEX_OF", "NAMES", "meant_package", "mistyped_packages"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Popular names that are long enough to be told from others, by index.
NAMES: dict[str, frozenset[str]] = {
    "python": _words("""
        requests urllib3 certifi charset-normalizer python-dateutil setuptools pyyaml numpy pandas scipy matplotlib
        seaborn scikit-learn tensorflow pytorch-lightning transformers tokenizers datasets accelerate openai anthropic
        langchain tiktoken fastapi uvicorn gunicorn starlette pydantic django djangorestframework flask werkzeug jinja2
        markupsafe itsdangerous sqlalchemy alembic psycopg2 psycopg2-binary asyncpg pymysql mysqlclient pymongo
        celery kombu pytest pytest-cov pytest-asyncio hypothesis coverage flake8 pylint poetry pipenv virtualenv
        cryptography paramiko fabric ansible beautifulsoup4 selenium playwright scrapy pillow opencv-python boto3
        botocore s3transfer awscli google-auth google-cloud-storage azure-core kubernetes colorama packaging
        protobuf grpcio aiohttp websockets tornado gevent twisted jupyter notebook ipython ipykernel streamlit plotly
        networkx nltk gensim joblib loguru structlog python-dotenv typing-extensions importlib-metadata platformdirs
        filelock pyjwt passlib bcrypt marshmallow simplejson orjson msgpack tabulate termcolor prettytable httpie
        black isort tornado pyinstaller cython wheel twine sphinx mkdocs sentry-sdk stripe twilio
    """),
    "node": _words("""
        lodash express react react-dom react-router react-router-dom redux webpack webpack-cli babel-loader typescript
        ts-node eslint prettier nodemon mocha jasmine cypress playwright puppeteer axios request superagent
        node-fetch commander inquirer yargs minimist chalk colors moment dayjs date-fns underscore async bluebird
        body-parser cookie-parser cors helmet morgan passport jsonwebtoken bcrypt bcryptjs mongoose mongodb sequelize
        typeorm prisma mysql mysql2 sqlite3 redis ioredis socket.io graphql apollo-server dotenv cross-env rimraf
        mkdirp fs-extra semver uuid nanoid validator classnames styled-components tailwindcss postcss autoprefixer
        bootstrap jquery angular vue-router vuex next nuxt svelte rollup esbuild parcel gulp grunt husky lint-staged
        electron nodemailer winston debug formidable multer sharp cheerio jsdom electron-builder concurrently
        discord.js fastify zustand framer-motion storybook turbo serverless ethers web3 hardhat
    """),
    "rust": _words("""
        serde serde_json serde_derive tokio rand regex clap anyhow thiserror reqwest hyper futures async-trait tracing
        tracing-subscriber env_logger chrono itertools once_cell lazy_static crossbeam rayon bitflags libc syn quote
        proc-macro2 num_cpus parking_lot hashbrown indexmap smallvec bytes base64 sha2 rustls openssl diesel sqlx
        actix-web warp tower criterion proptest tempfile walkdir structopt toml bincode uuid wasm-bindgen
    """),
    "ruby": _words("""
        rails rspec rspec-rails rubocop sidekiq devise nokogiri bundler activerecord activesupport actionpack sinatra
        faraday httparty rest-client capybara factory_bot factory_bot_rails faker pundit cancancan kaminari
        will_paginate carrierwave paperclip redis mongoid sequel jekyll fastlane cocoapods bootsnap webpacker sprockets
        simplecov minitest capistrano dotenv-rails
    """),
}
# Packages that people really use, and that are one letter away from another.
_REAL: dict[str, frozenset[str]] = {
    "python": _words("scapy psycopg psycopg-binary jinja boto pymssql scrapyd python"),
    "node": _words("preact tslint color prettierd"),
    "rust": _words("hyperx byte"),
    "ruby": frozenset(),
}
# Which index the installing words of a program name.
INDEX_OF = {
    "pip": "python", "pip3": "python", "pipx": "python", "uv": "python", "poetry": "python", "pipenv": "python",
    "pdm": "python", "rye": "python", "npm": "node", "pnpm": "node", "yarn": "node", "bun": "node", "cargo": "rust",
    "gem": "ruby",
}  # fmt: skip
_SHORTEST = 5
_ENDS = "=<>!~[;@ "  # what follows a name: a version, extras, a marker


_INSTALLS = _words("install add i in inject require")


def mistyped_packages(program: str, form: list[str], operands: list[str]) -> bool:
    """Whether one of the packages that a program is to install has a name that is almost a popular one."""
    index = INDEX_OF.get(program)
    if index is None or _INSTALLS.isdisjoint(form):
        return False
    return any(meant_package(index, word) is not None for word in operands)


@lru_cache(maxsize=1024)
def meant_package(index: str, word: str) -> str | None:
    """The popular package whose name somebody may have meant, if the word is almost but not quite its name."""
    name = _bare(word)
    if len(name) < _SHORTEST or len(name) > 40 or "/" in name or name.startswith((".", "-")) or "\0" in name:
        return None
    names = NAMES[index]
    if name in names or name in _REAL[index] or name.rstrip("0123456789") in names:
        return None
    return next((one for one in _neighbours(index, len(name)) if _is_slip(name, one)), None)


def _bare(word: str) -> str:
    head = word.lower()
    if head.startswith("@"):
        return ""
    for sign in _ENDS:
        head = head.partition(sign)[0]
    return head.replace("_", "-")


@lru_cache(maxsize=256)
def _neighbours(index: str, length: int) -> tuple[str, ...]:
    """Popular names of about that length."""
    plain = (name.replace("_", "-") for name in NAMES[index])
    return tuple(sorted(name for name in plain if len(name) >= _SHORTEST and abs(len(name) - length) <= 1))


def _is_slip(name: str, other: str) -> bool:
    """Whether two names differ by one slip of a finger: letters swapped, one missing, one too many, or another one."""
    if name == other:
        return False
    short, long = sorted((name, other), key=len)
    at = next((place for place, (one, two) in enumerate(zip(short, long, strict=False)) if one != two), len(short))
    if len(short) == len(long):
        swapped = short[at + 1 : at + 2] + short[at : at + 1] + short[at + 2 :]
        if swapped == long[at:]:
            return True
        # In a short name another letter makes another word too easily.
        return len(short) > _SHORTEST and short[at + 1 :] == long[at + 1 :]
    if short[at:] != long[at + 1 :]:
        return False
    return len(short) > _SHORTEST or long[at] in long[max(0, at - 1) : at]
