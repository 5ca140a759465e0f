//! Small projects and what must be said of them: data, shared by the test and the measurement.

use std::path::Path;

use lore_ground::freshness::Truth::{self, Broken, CannotTell, Holds};

/// A project and its conditions.
pub(crate) struct Fixture {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its files.
    pub(crate) files: &'static [(&'static str, &'static str)],
    /// Conditions and what must be said of them.
    pub(crate) cases: &'static [(&'static str, Truth)],
}

/// Writes the files of a project.
pub(crate) fn make(fixture: &Fixture, root: &Path) -> std::io::Result<()> {
    for (path, text) in fixture.files {
        let full = root.join(path);
        if let Some(parent) = full.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(full, text)?;
    }
    std::fs::create_dir_all(root)
}

/// Every ecosystem, with and without lock files.
pub(crate) const FIXTURES: &[Fixture] = &[
    Fixture {
        name: "npm-lock",
        files: &[
            (
                "package.json",
                "{\n  \"dependencies\": {\"prisma\": \"^5.1.0\", \"left\": \"*\", \"beta\": \"^2.0.0-rc.1\"},\n  \"engines\": {\"node\": \">=20\"}\n}\n",
            ),
            (
                "package-lock.json",
                "{\n  \"lockfileVersion\": 3,\n  \"packages\": {\n    \"\": {},\n    \"node_modules/beta\": {\"version\": \"2.0.0-rc.3\"},\n    \"node_modules/prisma\": {\"version\": \"5.2.0\"},\n    \"node_modules/a/node_modules/prisma\": {\"version\": \"3.0.0\"},\n    \"node_modules/@scope/pkg\": {\"version\": \"1.0.0\"}\n  }\n}\n",
            ),
        ],
        cases: &[
            ("prisma >= 4.0", Holds),
            ("prisma >= 5.2.0", Holds),
            ("prisma > 5.2.0", Broken),
            ("prisma < 6", Holds),
            ("prisma <= 5.2", Holds),
            ("prisma = 5.2.0", Holds),
            ("prisma == 5.2.1", Broken),
            ("prisma != 5.2.1", Holds),
            ("prisma ^5", Holds),
            ("prisma ^4", Broken),
            ("prisma ~5.2", Holds),
            ("prisma ~5.1", Broken),
            ("prisma >= 5.0, < 5.3", Holds),
            ("prisma >= 5.0 < 5.2", Broken),
            ("npm:prisma >= 4", Holds),
            ("cargo:prisma >= 4", CannotTell),
            ("beta >= 2.0.0", Broken),
            ("beta >= 2.0.0-rc.2", Holds),
            ("beta < 2.0.0", Holds),
            ("@scope/pkg >= 1", Holds),
            ("missing >= 1", Broken),
            ("uses prisma", Holds),
            ("uses missing", Broken),
            ("missing is not installed", Holds),
            ("prisma >= 4.0 AND prisma < 5", Broken),
            ("prisma < 5 OR prisma >= 5.2", Holds),
            ("NOT prisma < 5", Holds),
            ("prisma >= 4 AND the vendor says so", CannotTell),
            ("prisma < 4 AND the vendor says so", Broken),
            ("prisma >= 4 OR the vendor says so", Holds),
            ("node >= 18", Holds),
            ("node >= 22", CannotTell),
            ("node < 20", Broken),
            ("monorepo", Broken),
            ("NOT monorepo", Holds),
        ],
    },
    Fixture {
        name: "npm-lock-v1",
        files: &[
            ("package.json", "{\"dependencies\": {\"react\": \"^16\"}}"),
            (
                "package-lock.json",
                "{\"lockfileVersion\": 1, \"dependencies\": {\"react\": {\"version\": \"16.14.0\"}}}",
            ),
        ],
        cases: &[("react >= 16.14", Holds), ("react >= 17", Broken), ("vue >= 2", Broken)],
    },
    Fixture {
        name: "npm-manifest",
        files: &[
            (
                "package.json",
                "{\"type\": \"module\", \"dependencies\": {\"prisma\": \"^5.1.0\", \"wide\": \">=3\", \"pin\": \"1.2.3\", \"any\": \"*\", \"both\": \"^1 || ^2\", \"ws\": \"workspace:^1.0.0\", \"git\": \"github:a/b\"}, \"volta\": {\"node\": \"20.11.1\"}, \"packageManager\": \"pnpm@9.1.0+sha\"}",
            ),
            (
                "tsconfig.json",
                "{\n  // strict on purpose\n  \"compilerOptions\": {\"strict\": true, \"target\": \"ES2022\",},\n}\n",
            ),
            (".nvmrc", "v20.11.1\n"),
            (
                "src/lib/auth.ts",
                "import x from 'y';\nexport class AuthService {\n  async login(user: string): Promise<void> {\n  }\n}\n",
            ),
            (
                "src/lib/util.ts",
                "export const limit = 5;\nexport function helper() { return new AuthService(); }\n",
            ),
            (".env.example", "PORT=3000\nMODE=fast\n"),
            ("deploy.yml", "server:\n  port: 8080 # public\n  tls:\n    enabled: true\n"),
            ("app.ini", "[db]\nhost = local\n"),
        ],
        cases: &[
            ("prisma >= 4.0", Holds),
            ("prisma >= 6", Broken),
            ("prisma >= 5.5", CannotTell),
            ("wide >= 2", Holds),
            ("wide >= 4", CannotTell),
            ("wide < 3", Broken),
            ("pin = 1.2.3", Holds),
            ("pin > 1.2.3", Broken),
            ("any >= 1", CannotTell),
            ("uses any", Holds),
            ("both >= 1", Holds),
            ("both >= 2", CannotTell),
            ("both >= 3", Broken),
            ("ws >= 1.0", Holds),
            ("git >= 1", CannotTell),
            ("uses git", Holds),
            ("node >= 20", Holds),
            ("node = 20.11.1", Holds),
            ("node >= 21", Broken),
            ("pnpm >= 9", Holds),
            ("pnpm >= 10", Broken),
            ("yarn >= 1", CannotTell),
            ("python >= 3", CannotTell),
            ("src/lib/auth.ts exists", Holds),
            ("src/lib/gone.ts exists", Broken),
            ("src/lib/gone.ts does not exist", Holds),
            ("src/lib/ exists", Holds),
            ("folder src/lib exists", Holds),
            ("file src/lib exists", Broken),
            ("directory src/gone exists", Broken),
            ("src/**/*.ts exists", Holds),
            ("src/**/*.py exists", Broken),
            ("src/lib/{auth,gone}.ts exists", Holds),
            ("symbol AuthService in src/lib/auth.ts", Holds),
            ("symbol AuthService in src/lib/util.ts", Broken),
            ("symbol login in src/lib/auth.ts", Holds),
            ("symbol AuthService in src", Holds),
            ("symbol AuthService in src/**/*.ts", Holds),
            ("symbol AuthService exists", Holds),
            ("symbol Gone exists", Broken),
            ("function helper is defined", Holds),
            ("symbol AuthService.login in src/lib/auth.ts", Holds),
            ("src/lib/util.ts contains \"limit = 5\"", Holds),
            ("src/lib/util.ts contains \"limit = 6\"", Broken),
            ("src/lib/util.ts does not contain \"limit = 6\"", Holds),
            ("src/lib/util.ts matches /limit\\s*=\\s*\\d+/", Holds),
            ("src/lib/util.ts matches /limit = [a-z]/", Broken),
            ("src/lib/util.ts matches /(/", CannotTell),
            ("config package.json type == module", Holds),
            ("config package.json type == commonjs", Broken),
            ("config package.json type != commonjs", Holds),
            ("config tsconfig.json compilerOptions.strict == true", Holds),
            ("config tsconfig.json compilerOptions.strict is false", Broken),
            ("config tsconfig.json compilerOptions.target is set", Holds),
            ("config tsconfig.json compilerOptions.gone is set", Broken),
            ("config tsconfig.json compilerOptions.gone is not set", Holds),
            ("config .env.example PORT == 3000", Holds),
            ("config .env.example MODE != fast", Broken),
            ("config deploy.yml server.port == 8080", Holds),
            ("config deploy.yml server.tls.enabled == true", Holds),
            ("config deploy.yml server.gone == 1", Broken),
            ("config app.ini db.host == local", Holds),
            ("config gone.json a == 1", Broken),
            ("branch main exists", CannotTell),
            ("tag v1 exists", CannotTell),
            ("on branch main", CannotTell),
            ("src/lib/auth.ts unchanged since 2026-01-01", CannotTell),
        ],
    },
    Fixture {
        name: "yarn-1",
        files: &[
            ("package.json", "{\"dependencies\": {\"lodash\": \"^4.17.0\"}}"),
            (
                "yarn.lock",
                "# yarn lockfile v1\n\n\n\"@babel/core@^7.0.0\", \"@babel/core@^7.1.0\":\n  version \"7.24.0\"\n  resolved \"x\"\n\nlodash@^4.17.0:\n  version \"4.17.21\"\n",
            ),
        ],
        cases: &[
            ("lodash >= 4.17.20", Holds),
            ("lodash >= 5", Broken),
            ("@babel/core ^7", Holds),
            ("@babel/core >= 8", Broken),
        ],
    },
    Fixture {
        name: "yarn-berry",
        files: &[
            (
                "package.json",
                "{\"dependencies\": {\"lodash\": \"^4.17.0\"}, \"packageManager\": \"yarn@4.1.0\"}",
            ),
            (
                "yarn.lock",
                "__metadata:\n  version: 8\n\n\"lodash@npm:^4.17.0\":\n  version: 4.17.21\n  resolution: \"lodash@npm:4.17.21\"\n",
            ),
        ],
        cases: &[("lodash = 4.17.21", Holds), ("lodash < 4.17", Broken), ("yarn >= 4", Holds)],
    },
    Fixture {
        name: "pnpm-9",
        files: &[
            ("package.json", "{\"dependencies\": {\"vite\": \"^5\"}}"),
            (
                "pnpm-lock.yaml",
                "lockfileVersion: '9.0'\n\npackages:\n\n  '@types/node@20.1.0':\n    resolution: {}\n\n  vite@5.2.1:\n    resolution: {}\n\nsnapshots:\n\n  vite@5.2.1(@types/node@20.1.0):\n    dependencies: {}\n",
            ),
            ("pnpm-workspace.yaml", "packages:\n  - apps/*\n"),
        ],
        cases: &[
            ("vite >= 5.2", Holds),
            ("vite >= 6", Broken),
            ("@types/node ^20", Holds),
            ("monorepo", Holds),
            ("NOT monorepo", Broken),
        ],
    },
    Fixture {
        name: "pnpm-5",
        files: &[
            ("package.json", "{\"dependencies\": {\"vite\": \"^2\"}}"),
            (
                "pnpm-lock.yaml",
                "lockfileVersion: 5.3\n\npackages:\n\n  /vite/2.9.1:\n    resolution: {}\n  /@scope/a/1.0.0_b@2:\n    resolution: {}\n",
            ),
        ],
        cases: &[("vite ^2", Holds), ("vite >= 3", Broken), ("@scope/a = 1.0.0", Holds)],
    },
    Fixture {
        name: "bun",
        files: &[
            ("package.json", "{\"dependencies\": {\"hono\": \"^4\"}}"),
            (
                "bun.lock",
                "{\n  \"lockfileVersion\": 1,\n  \"packages\": {\n    \"hono\": [\"hono@4.3.0\", \"\", {}, \"sha\"],\n  }\n}\n",
            ),
        ],
        cases: &[("hono >= 4.3", Holds), ("hono >= 5", Broken)],
    },
    Fixture {
        name: "cargo-lock",
        files: &[
            (
                "Cargo.toml",
                "[package]\nname = \"x\"\nrust-version = \"1.80\"\n\n[dependencies]\nserde = \"1\"\nserde_json = \"1\"\n",
            ),
            (
                "Cargo.lock",
                "version = 4\n\n[[package]]\nname = \"serde\"\nversion = \"1.0.200\"\n\n[[package]]\nname = \"serde_json\"\nversion = \"1.0.100\"\n\n[[package]]\nname = \"syn\"\nversion = \"1.0.109\"\n\n[[package]]\nname = \"syn\"\nversion = \"2.0.60\"\n",
            ),
            ("rust-toolchain.toml", "[toolchain]\nchannel = \"1.82.0\"\n"),
        ],
        cases: &[
            ("serde >= 1.0.100", Holds),
            ("serde >= 1.1", Broken),
            ("serde-json >= 1", Holds),
            ("serde_json ^1", Holds),
            ("syn >= 1", Holds),
            ("syn >= 2", CannotTell),
            ("syn >= 3", Broken),
            ("crate:serde = 1.0.200", Holds),
            ("rust >= 1.80", Holds),
            ("rust >= 1.83", Broken),
            ("tokio >= 1", Broken),
        ],
    },
    Fixture {
        name: "cargo-manifest",
        files: &[(
            "Cargo.toml",
            "[package]\nname = \"x\"\n\n[dependencies]\ntokio = { version = \"1.38\", features = [\"rt\"] }\nexact = \"=0.4.2\"\nlocal = { path = \"../local\" }\nrenamed = { package = \"real-name\", version = \"0.3\" }\n\n[dev-dependencies]\ninsta = \"1\"\n\n[workspace]\nmembers = [\"a\"]\n",
        )],
        cases: &[
            ("tokio >= 1", Holds),
            ("tokio < 1", Broken),
            ("tokio >= 1.40", CannotTell),
            ("tokio < 2", Holds),
            ("exact = 0.4.2", Holds),
            ("exact > 0.4.2", Broken),
            ("uses local", Holds),
            ("local >= 1", CannotTell),
            ("real-name ^0.3", Holds),
            ("real-name >= 0.4", Broken),
            ("insta >= 1", Holds),
            ("monorepo", Holds),
        ],
    },
    Fixture {
        name: "pypi-lock",
        files: &[
            (
                "pyproject.toml",
                "[project]\nname = \"x\"\nrequires-python = \">=3.11\"\ndependencies = [\"django>=4.2,<6\", \"requests[socks]\"]\n",
            ),
            (
                "uv.lock",
                "version = 1\n\n[[package]]\nname = \"django\"\nversion = \"5.0.3\"\n\n[[package]]\nname = \"typing-extensions\"\nversion = \"4.10.0rc1\"\n",
            ),
        ],
        cases: &[
            ("django >= 5", Holds),
            ("Django >= 5.0.3", Holds),
            ("django >= 5.1", Broken),
            ("django ~= 5.0", Holds),
            ("django ~= 4.2", Broken),
            ("django == 5.0.*", Holds),
            ("django == 4.*", Broken),
            ("django != 5.0.*", Broken),
            ("typing_extensions >= 4.10", Broken),
            ("typing.extensions >= 4.9", Holds),
            ("requests >= 2", CannotTell),
            ("uses requests", Holds),
            ("python >= 3.11", Holds),
            ("python >= 3.12", CannotTell),
            ("python < 3.11", Broken),
            ("flask >= 2", Broken),
        ],
    },
    Fixture {
        name: "pypi-poetry",
        files: &[
            (
                "pyproject.toml",
                "[tool.poetry.dependencies]\npython = \"^3.10\"\nfastapi = \"^0.110\"\nanyv = \"*\"\n",
            ),
            ("poetry.lock", "[[package]]\nname = \"fastapi\"\nversion = \"0.110.2\"\ndescription = \"x\"\n"),
        ],
        cases: &[
            ("fastapi >= 0.110", Holds),
            ("fastapi >= 0.111", Broken),
            ("uses anyv", Holds),
            ("anyv >= 1", CannotTell),
            ("python >= 3.10", Holds),
        ],
    },
    Fixture {
        name: "pypi-requirements",
        files: &[
            (
                "requirements.txt",
                "# pinned\nflask==3.0.1\ncelery>=5.3 ; python_version > '3.8'\nurllib3\nNumPy==1.26.4 # note\n",
            ),
            (".python-version", "3.12.1\n"),
        ],
        cases: &[
            ("flask = 3.0.1", Holds),
            ("flask >= 3.1", Broken),
            ("celery >= 5", Holds),
            ("celery < 5", Broken),
            ("celery >= 5.4", CannotTell),
            ("uses urllib3", Holds),
            ("numpy ^1", Holds),
            ("numpy >= 2", Broken),
            ("python >= 3.12", Holds),
            ("python >= 3.13", Broken),
            ("pypi:flask >= 3", Holds),
        ],
    },
    Fixture {
        name: "pypi-pipenv",
        files: &[
            (
                "Pipfile",
                "[packages]\nrich = \"*\"\nattrs = \">=23\"\n\n[requires]\npython_version = \"3.11\"\n",
            ),
            ("Pipfile.lock", "{\"default\": {\"rich\": {\"version\": \"==13.7.0\"}}, \"develop\": {}}"),
        ],
        cases: &[
            ("rich >= 13", Holds),
            ("rich >= 14", Broken),
            ("attrs >= 22", Holds),
            ("python >= 3.11", Holds),
        ],
    },
    Fixture {
        name: "go",
        files: &[(
            "go.mod",
            "module example.com/x\n\ngo 1.22\n\ntoolchain go1.22.3\n\nrequire (\n\tgithub.com/spf13/cobra v1.8.0\n\tgithub.com/jackc/pgx/v5 v5.5.5 // indirect\n\tgithub.com/old/lib v2.0.0+incompatible\n\tgithub.com/fork/lib v1.0.0\n)\n\nreplace github.com/fork/lib => github.com/mine/lib v1.2.0\n",
        )],
        cases: &[
            ("github.com/spf13/cobra >= 1.8", Holds),
            ("github.com/spf13/cobra >= v1.8.0", Holds),
            ("cobra >= 1.9", Broken),
            ("cobra ^1", Holds),
            ("pgx >= 5.5", Holds),
            ("github.com/jackc/pgx/v5 >= 5", Holds),
            ("github.com/old/lib = 2.0.0", Holds),
            ("github.com/fork/lib >= 1.2", Holds),
            ("github.com/none/lib >= 1", Broken),
            ("go >= 1.22", Holds),
            ("go >= 1.23", Broken),
        ],
    },
    Fixture {
        name: "maven",
        files: &[(
            "pom.xml",
            "<project>\n  <properties>\n    <slf4j.version>2.0.9</slf4j.version>\n    <java.version>21</java.version>\n  </properties>\n  <dependencies>\n    <dependency>\n      <groupId>org.slf4j</groupId>\n      <artifactId>slf4j-api</artifactId>\n      <version>${slf4j.version}</version>\n    </dependency>\n    <dependency>\n      <groupId>com.acme</groupId>\n      <artifactId>ranged</artifactId>\n      <version>[1.0,2.0)</version>\n    </dependency>\n    <dependency>\n      <groupId>com.acme</groupId>\n      <artifactId>managed</artifactId>\n    </dependency>\n    <dependency>\n      <groupId>com.acme</groupId>\n      <artifactId>snap</artifactId>\n      <version>3.0-SNAPSHOT</version>\n    </dependency>\n  </dependencies>\n</project>\n",
        )],
        cases: &[
            ("org.slf4j:slf4j-api >= 2.0", Holds),
            ("slf4j-api >= 2.1", Broken),
            ("com.other:slf4j-api >= 2.0", Broken),
            ("ranged >= 1.0", Holds),
            ("ranged >= 1.5", CannotTell),
            ("ranged >= 2.0", Broken),
            ("managed >= 1", CannotTell),
            ("uses managed", Holds),
            ("snap >= 3.0", Broken),
            ("snap >= 3.0-alpha", Holds),
            ("java >= 17", Holds),
            ("java >= 22", Broken),
            ("maven:slf4j-api >= 2", Holds),
        ],
    },
    Fixture {
        name: "gradle",
        files: &[
            (
                "build.gradle.kts",
                "plugins { java }\njava { toolchain { languageVersion.set(JavaLanguageVersion.of(17)) } }\ndependencies {\n  implementation(\"com.squareup.okhttp3:okhttp:4.12.0\")\n  implementation(libs.guava)\n}\n",
            ),
            (
                "gradle/libs.versions.toml",
                "[versions]\nguava = \"33.0.0-jre\"\n\n[libraries]\nguava = { module = \"com.google.guava:guava\", version.ref = \"guava\" }\njunit = \"org.junit:junit:5.10.0\"\n",
            ),
            (
                "gradle/wrapper/gradle-wrapper.properties",
                "distributionUrl=https\\://services.gradle.org/distributions/gradle-8.7-bin.zip\n",
            ),
            ("settings.gradle.kts", "include(\":app\")\n"),
        ],
        cases: &[
            ("com.squareup.okhttp3:okhttp >= 4", Holds),
            ("okhttp >= 5", Broken),
            ("guava >= 33", Holds),
            ("guava >= 34", Broken),
            ("org.junit:junit >= 5.10", Holds),
            ("java >= 17", Holds),
            ("java >= 21", Broken),
            ("gradle >= 8", Holds),
            ("gradle >= 9", Broken),
            ("monorepo", Holds),
        ],
    },
    Fixture {
        name: "gradle-lock",
        files: &[
            ("build.gradle", "dependencies { implementation 'com.google.guava:guava:32.0.0-jre' }\n"),
            ("gradle.lockfile", "# locked\ncom.google.guava:guava:33.1.0-jre=compileClasspath\nempty=\n"),
        ],
        cases: &[("com.google.guava:guava >= 33.1", Holds), ("guava < 33", Broken)],
    },
    Fixture {
        name: "gems-lock",
        files: &[
            ("Gemfile", "source 'https://rubygems.org'\nruby '3.3.0'\ngem 'rails', '~> 7.1'\ngem \"pg\"\n"),
            (
                "Gemfile.lock",
                "GEM\n  specs:\n    nokogiri (1.16.2-x86_64-linux)\n    rails (7.1.3)\n      activesupport (= 7.1.3)\n    beta (2.0.0.rc1)\n\nRUBY VERSION\n   ruby 3.3.0p0\n",
            ),
        ],
        cases: &[
            ("rails ~> 7.1", Holds),
            ("rails ~> 7.0.1", Broken),
            ("rails >= 7.2", Broken),
            ("nokogiri >= 1.16", Holds),
            ("beta >= 2.0.0", Broken),
            ("beta >= 2.0.0.a", Holds),
            ("uses pg", Holds),
            ("pg >= 1", CannotTell),
            ("ruby >= 3.3", Holds),
            ("ruby >= 3.4", Broken),
            ("gem:rails >= 7", Holds),
        ],
    },
    Fixture {
        name: "gems-manifest",
        files: &[("Gemfile", "gem 'rails', '~> 7.1'\ngem 'puma', '>= 5', '< 7'\n")],
        cases: &[
            ("rails >= 7.1", Holds),
            ("rails >= 8", Broken),
            ("rails >= 7.2", CannotTell),
            ("puma < 7", Holds),
            ("puma >= 7", Broken),
        ],
    },
    Fixture {
        name: "composer-lock",
        files: &[
            ("composer.json", "{\"require\": {\"php\": \"^8.2\", \"laravel/framework\": \"^11.0\"}}"),
            (
                "composer.lock",
                "{\n  \"packages\": [\n    {\"name\": \"laravel/framework\", \"version\": \"v11.5.0\"}\n  ],\n  \"packages-dev\": [{\"name\": \"phpunit/phpunit\", \"version\": \"11.0.0-RC1\"}]\n}\n",
            ),
        ],
        cases: &[
            ("laravel/framework >= 11", Holds),
            ("laravel/framework ^11.5", Holds),
            ("laravel/framework >= 12", Broken),
            ("phpunit/phpunit >= 11.0.0", Broken),
            ("phpunit/phpunit >= 10", Holds),
            ("php >= 8.2", Holds),
            ("php >= 9", Broken),
            ("php >= 8.3", CannotTell),
            ("composer:laravel/framework = 11.5.0", Holds),
        ],
    },
    Fixture {
        name: "composer-manifest",
        files: &[(
            "composer.json",
            "{\"require\": {\"monolog/monolog\": \"^2.0|^3.0\", \"a/b\": \"1.2.*\"}}",
        )],
        cases: &[
            ("monolog/monolog >= 2", Holds),
            ("monolog/monolog >= 3", CannotTell),
            ("monolog/monolog >= 4", Broken),
            ("a/b ~1.2", Holds),
            ("a/b >= 1.3", Broken),
        ],
    },
    Fixture {
        name: "nuget-lock",
        files: &[
            (
                "app.csproj",
                "<Project><ItemGroup><PackageReference Include=\"Serilog\" Version=\"3.0.0\" /></ItemGroup></Project>",
            ),
            (
                "packages.lock.json",
                "{\"version\": 1, \"dependencies\": {\"net8.0\": {\"Serilog\": {\"type\": \"Direct\", \"resolved\": \"3.1.1\"}}}}",
            ),
            ("global.json", "{\"sdk\": {\"version\": \"8.0.203\"}}"),
        ],
        cases: &[
            ("Serilog >= 3.1", Holds),
            ("serilog >= 3.1.1", Holds),
            ("Serilog >= 4", Broken),
            ("dotnet >= 8", Holds),
            ("dotnet >= 9", Broken),
            ("nuget:Serilog >= 3", Holds),
            ("Newtonsoft.Json >= 13", Broken),
        ],
    },
    Fixture {
        name: "nuget-manifest",
        files: &[
            (
                "Directory.Packages.props",
                "<Project><ItemGroup><PackageVersion Include=\"Dapper\" Version=\"2.1.24\" /></ItemGroup></Project>",
            ),
            (
                "src/app.csproj",
                "<Project><ItemGroup><PackageReference Include=\"Dapper\" /><PackageReference Include=\"Ranged\" Version=\"[1.0,2.0)\" /></ItemGroup></Project>",
            ),
        ],
        cases: &[
            ("Dapper >= 2", Holds),
            ("Dapper >= 3", CannotTell),
            ("Dapper < 2", Broken),
            ("Ranged < 2", Holds),
            ("Ranged >= 2", Broken),
        ],
    },
    Fixture {
        name: "empty",
        files: &[],
        cases: &[
            ("prisma >= 4", CannotTell),
            ("uses anything", CannotTell),
            ("src/a.rs exists", Broken),
            ("NOT monorepo", Holds),
            ("node >= 20", CannotTell),
            ("symbol A exists", Broken),
            ("the old server still answers", CannotTell),
            ("NOT the old server still answers", CannotTell),
            ("(src/a.rs exists OR NOT monorepo) AND NOT src/b.rs exists", Holds),
        ],
    },
];
